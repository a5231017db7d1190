/** Endpoint 5: one transaction by its id. */
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA } from '../support/payout.ts';
import { create, debit, transactionIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount({ balances: { USD: 100_000n } });
const stranger = await app.newAccount();

describe('one transaction', () => {
  it('is shown by its id, in either case of letters', async () => {
    const made = await create(caller);
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)).toEqual(made);
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id.toUpperCase()}`), 200)).toEqual(made);
  });

  it('shows what has happened to it since: its money, its state and the state in its recipients', async () => {
    const made = await create(caller);
    expect((await debit(caller, made.id)).status).toBe(200);
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)).toEqual({
      ...made,
      state: 'received',
      paid_amount: 100,
      due_amount: 0,
      recipients: made.recipients.map((recipient) => ({ ...recipient, transaction_state: 'received' })),
    });
  });

  it('shows its sender as it is now', async () => {
    const made = await create(caller, { sender: { ...ADA, external_id: 'mover' } });
    await create(caller, { sender: { ...ADA, external_id: 'mover', city: 'Leeds' } });
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200).sender).toMatchObject({ city: 'Leeds' });
  });
});

describe('nothing is found', () => {
  const NOT_FOUND = { status: 404, error: 'there is nothing at this address' };

  it.each([
    ['an id that nobody has', () => app.ctx.ids.next()],
    ['a word', () => 'latest'],
    ['a number', () => '1'],
    ['an id that is too long', () => `${app.ctx.ids.next()}0`],
    ['an id in braces', () => `%7B${app.ctx.ids.next()}%7D`],
    ['an id as a name of resources has it', () => `urn:uuid:${app.ctx.ids.next()}`],
    ['a very long text', () => 'x'.repeat(2_000)],
    ['an SQL fragment', () => "'%20or%20true--"],
  ])('under %s', async (_, id) => {
    const answer = await caller.get(`/v1/transactions/${id()}`);
    expect(answer.status, answer.text).toBe(404);
    expect(answer.body).toEqual(NOT_FOUND);
  });

  it("under the id of another account's transaction, exactly as under one that nobody has", async () => {
    const made = await create(caller, { externalId: 'secret' });
    const theirs = await stranger.caller.get(`/v1/transactions/${made.id}`);
    const nobodys = await stranger.caller.get(`/v1/transactions/${app.ctx.ids.next()}`);
    expect([theirs.status, theirs.text]).toEqual([nobodys.status, nobodys.text]);
    expect(theirs.status).toBe(404);
  });

  it('under the id of its recipient or of its sender', async () => {
    const made = await create(caller);
    for (const id of [made.recipients[0]?.id, made.sender.id]) {
      expect((await caller.get(`/v1/transactions/${id}`)).status).toBe(404);
    }
  });
});
