/**
 * A payout whose hour is over, before a worker came by: it has expired for whoever looks. Spec: Transaction states
 * (time).
 */
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { eventsOf } from '../support/rows.ts';
import { create, transactionIn, wordsIn } from '../support/transactions.ts';
import { HOUR_MS } from './world.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });

async function waiting() {
  const account = await app.newAccount();
  const created = await create(account.caller);
  const path = `/v1/recipients/${created.recipients[0]?.id}`;
  const seen = async () => {
    const { state } = transactionIn(await account.caller.get(`/v1/transactions/${created.id}`), 200);
    const [row] = await db.query<{ canceled_by: string | null }>(
      'select canceled_by from recipients where transaction_id = $1::uuid',
      [created.id],
    );
    return { state, by: row?.canceled_by, told: (await eventsOf(db, created.id)).map(({ event }) => event) };
  };
  return { ...account, path, seen };
}

const EXPIRED = { state: 'canceled', by: 'expiry', told: ['transaction.created'] };

describe('a payout whose hour is over', () => {
  it('has expired when its recipient is canceled, and nobody is told that the caller did it', async () => {
    const { caller, path, seen } = await waiting();
    app.clock.advance(HOUR_MS);
    const { status, body } = await caller.delete(path);
    expect([status, Object(body).object.state]).toEqual([200, 'canceled']);
    expect(await seen()).toEqual(EXPIRED);
  });

  it('is not edited any more', async () => {
    const { caller, path, seen } = await waiting();
    app.clock.advance(HOUR_MS);
    const details = { payout_method: { details: { last_name: 'Okafor' } } };
    expect(wordsIn(await caller.patch(path, { recipient: details }))).toEqual(['base: not_editable']);
    expect(await seen()).toEqual(EXPIRED);
  });

  it('is canceled by its caller until then', async () => {
    const { caller, path, seen } = await waiting();
    app.clock.advance(HOUR_MS - 1);
    expect((await caller.delete(path)).status).toBe(200);
    expect(await seen()).toEqual({
      state: 'canceled',
      by: 'caller',
      told: ['transaction.created', 'transaction.canceled'],
    });
  });
});
