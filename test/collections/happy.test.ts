/** A collection from its creation to the balance, step by step. */
import { afterAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { bankTransfer, collect, newsOf, readCollection, receiptsOf } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { expectSoundLedger, ledgerOf } from '../support/rows.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
afterAll(() => expectSoundLedger(db));

describe('a collection', () => {
  it('is prompted, paid in, and ends in the balance', async () => {
    const account = await app.newAccount();
    const created = await collect(account);
    expect([created.state, created.payin.state, created.due_amount]).toEqual(['approved', 'initial', 10_000]);
    await app.engine.run();
    const prompted = await readCollection(account, created);
    expect([prompted.state, prompted.payin.state, prompted.paid_amount]).toEqual(['approved', 'pending', 0]);
    await app.engine.travel(1_000);
    const paid = await readCollection(account, created);
    expect([paid.state, paid.payin.state, paid.recipients[0]?.state]).toEqual(['paid', 'success', 'success']);
    expect([paid.paid_amount, paid.due_amount, paid.input_amount]).toEqual([10_000, 0, 10_000]);
    expect(await newsOf(db, created)).toEqual({
      of: ['created', 'paid_in', 'paid_out'],
      payin: ['pending', 'paid_in'],
    });
    expect(await ledgerOf(db, account.accountId, 'XOF')).toEqual({ balance: 10_000n, payin_settlement: -10_000n });
    expect(await receiptsOf(db, created)).toMatchObject([{ amount: 10_000n, place: 'held', reason: 'expected' }]);
  });

  it('into a balance of another currency goes through the exchange', async () => {
    const account = await app.newAccount();
    const created = await collect(account, bankTransfer({ balance: 'USD', amount: 100, asks: 'Paid' }));
    await app.engine.run();
    const paid = await readCollection(account, created);
    expect([paid.state, paid.input_amount, paid.recipients[0]?.output_amount]).toEqual(['paid', 152_540, 100]);
    expect(await ledgerOf(db, account.accountId, 'USD')).toEqual({ balance: 10_000n, exchange: -10_000n });
    const naira = await ledgerOf(db, account.accountId, 'NGN');
    expect(naira).toEqual({ exchange: 15_254_000n, payin_settlement: -15_254_000n });
  });
});
