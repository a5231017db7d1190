/** What becomes of transactions when their sender is approved, refused, banned, edited or deleted. */
import { describe, expect, it } from 'vitest';
import type { TestAccount } from '../support/app.ts';
import { collect, readCollection } from '../support/collections.ts';
import { fundPayout } from '../support/payouts.ts';
import { eventsOf, expectSoundLedger } from '../support/rows.ts';
import { create, debit, debitsIn, transactionIn } from '../support/transactions.ts';
import { startKyc } from './world.ts';

const HOUR_MS = 3_600_000;
const kyc = await startKyc();
const { app, db, newAccount, newSender, readSender, check, decide, edit } = kyc;

async function waiting(account: TestAccount) {
  const sender = await newSender(account);
  const made = await create(account.caller, { sender: { id: sender.id } });
  expect(made.state).toBe('initial');
  await check();
  return { sender, made };
}

const read = async ({ caller }: TestAccount, { id }: { readonly id: string }) =>
  transactionIn(await caller.get(`/v1/transactions/${id}`), 200);

/** When the engine looks at it next, in milliseconds from now; undefined: never. */
async function dueIn({ id }: { readonly id: string }): Promise<number | undefined> {
  const [row] = await db.query<{ due_at: Date | null }>(
    'select due_at from transactions where transaction_id = $1::uuid',
    [id],
  );
  return row?.due_at ? row.due_at.getTime() - app.clock.now().getTime() : undefined;
}

describe('when the sender is approved', () => {
  it('every transaction that waited for it can be funded, and others of the account go on waiting', async () => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, made } = await waiting(account);
    const second = await create(account.caller, { sender: { id: sender.id } });
    const { made: others } = await waiting(account);
    expect(debitsIn(await debit(account.caller, made.id), 422)[0]?.errors).toMatchObject({
      base: [{ error: 'sender_not_approved' }],
    });
    await decide('approve', sender);
    expect((await read(account, made)).state).toBe('approved');
    expect((await read(account, second)).state).toBe('approved');
    expect((await read(account, others)).state).toBe('initial');
    debitsIn(await debit(account.caller, made.id), 200);
    await app.engine.run();
    expect((await read(account, made)).state).toBe('paid');
    await expectSoundLedger(db, account.accountId);
  });

  it('nothing but the sender is told: the transaction has no event of its own for it', async () => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, made } = await waiting(account);
    await decide('approve', sender);
    expect((await eventsOf(db, made.id)).map(({ event }) => event)).toEqual(['transaction.created']);
    expect((await eventsOf(db, sender.id)).map(({ event }) => event)).toEqual(['sender.approved']);
  });

  it('the hour of a transaction does not begin anew, and one whose hour is over is not revived', async () => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, made } = await waiting(account);
    const late = await waiting(account);
    app.clock.advance(HOUR_MS - 2_000);
    await decide('approve', sender);
    expect(await read(account, made)).toMatchObject({ state: 'approved', expires_at: made.expires_at });
    app.clock.advance(2_000);
    await decide('approve', late.sender);
    expect((await read(account, late.made)).state).toBe('initial');
    await app.engine.run();
    expect((await read(account, made)).state).toBe('canceled');
    expect((await read(account, late.made)).state).toBe('canceled');
  });

  it('the payer of a collection that waited is prompted, and pays', async () => {
    const account = await newAccount({ kyc: 'review' });
    const sender = await newSender(account);
    const made = await collect(account, { over: { sender: { id: sender.id } } });
    await app.engine.run();
    expect(await readCollection(account, made)).toMatchObject({ state: 'initial', payin: { state: 'initial' } });
    await check();
    await decide('approve', sender);
    await app.engine.run();
    await app.engine.travel(1_000);
    expect(await readCollection(account, made)).toMatchObject({ state: 'paid', payin: { state: 'success' } });
    await expectSoundLedger(db, account.accountId);
  });

  it('by the rule of a waived account, they follow as well', async () => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, made } = await waiting(account);
    await decide('reject', sender);
    await db.execute(`update accounts set kyc = 'waived' where account_id = $1::uuid`, [account.accountId]);
    await decide('lift', sender);
    await check();
    expect((await readSender(account, sender)).state).toBe('approved');
    expect((await read(account, made)).state).toBe('approved');
  });
});

describe('when the sender is refused', () => {
  it.each(['reject', 'ban'] as const)(
    'by %s, the transaction stays initial, takes no money, and expires',
    async (what) => {
      const account = await newAccount({ kyc: 'review' });
      const { sender, made } = await waiting(account);
      await decide(what, sender);
      await app.engine.run();
      expect((await read(account, made)).state).toBe('initial');
      debitsIn(await debit(account.caller, made.id), 422);
      await app.engine.travel(HOUR_MS);
      expect((await read(account, made)).state).toBe('canceled');
    },
  );
});

describe('a funded transaction that has a later appointment is looked at again', () => {
  /** Funded, tried once, and due again in some minutes. */
  async function underWay(account: TestAccount) {
    const sender = await newSender(account);
    await check();
    await decide('approve', sender);
    const made = await fundPayout(account, 'Retry', { sender: { id: sender.id } });
    await app.engine.run();
    expect(await dueIn(made)).toBeGreaterThan(0);
    return { sender, made };
  }

  it('when its sender is banned, in the commit of the ban', async () => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, made } = await underWay(account);
    await decide('ban', sender);
    expect(await dueIn(made)).toBe(0);
  });

  it('and waits under review until its sender is approved again, in whatever way that was lost', async () => {
    const account = await newAccount({ kyc: 'review' });
    const [banned, edited] = [await underWay(account), await underWay(account)];
    await decide('ban', banned.sender);
    await edit(account, edited.sender, { last_name: 'Other' });
    await check();
    await app.engine.run();
    for (const { made } of [banned, edited]) expect((await read(account, made)).state).toBe('processing');
    await app.engine.travel(HOUR_MS);
    for (const { made } of [banned, edited]) expect((await read(account, made)).state).toBe('processing');
    await decide('lift', banned.sender);
    await check();
    for (const { sender } of [banned, edited]) await decide('approve', sender);
    await app.engine.travel(HOUR_MS);
    for (const { made } of [banned, edited]) expect((await read(account, made)).state).toBe('paid');
    await expectSoundLedger(db, account.accountId);
  });

  it.each<[string, (account: TestAccount, sender: { id: string }) => Promise<unknown>]>([
    ['its identity is edited', (account, sender) => edit(account, sender, { last_name: 'Other' })],
    ['it is deleted', (account, sender) => account.caller.delete(`/v1/senders/${sender.id}`)],
  ])('when %s, by the check that follows', async (_, change) => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, made } = await underWay(account);
    await change(account, sender);
    await check();
    expect(await dueIn(made)).toBeLessThanOrEqual(0);
  });

  it('when a list names its sender, and when it is approved again', async () => {
    const account = await newAccount({ kyc: 'review' });
    const { sender, made } = await underWay(account);
    kyc.screening.load('v2', [{ entryId: 'e-1', name: 'Ada Example' }]);
    await kyc.rescreen();
    expect((await readSender(account, sender)).state).toBe('initial');
    expect(await dueIn(made)).toBe(0);
    await db.execute(`update transactions set due_at = $2 where transaction_id = $1::uuid`, [
      made.id,
      new Date(app.clock.now().getTime() + HOUR_MS),
    ]);
    await decide('approve', sender);
    expect(await dueIn(made)).toBe(0);
    kyc.screening.load('v1', []);
  });

  it('and one of another sender, or one that is finished, is not', async () => {
    const account = await newAccount({ kyc: 'review' });
    const [first, second] = [await underWay(account), await underWay(account)];
    const paid = await fundPayout(account, 'Paid', { sender: { id: first.sender.id } });
    await app.engine.run();
    await decide('ban', first.sender);
    expect(await dueIn(second.made)).toBeGreaterThan(0);
    expect(await dueIn(paid)).toBeUndefined();
  });
});
