/** How often one transaction may be looked at: seldom while it is active, as often as one likes once it has ended. */
import { describe, expect, it } from 'vitest';
import { limitCalls } from '../../server/src/http/limit-calls.ts';
import { SoftLimits } from '../../server/src/soft-limits/counter.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { fundPayout } from '../support/payouts.ts';

const { db } = await freshDatabase();
const app = await startApp({
  db,
  flags: { limitsEnforceSoft: 'true' },
  before: (ctx) => [limitCalls(ctx, new SoftLimits(ctx))],
});

/** A funded payout, and how its status checks are answered: with a status, and by the name of the limit shown. */
async function watched() {
  const account = await app.newAccount({ balances: { USD: 100_000n } });
  const { caller } = account;
  const { id, recipient } = await fundPayout(account, 'Anybody');
  const look = async () => {
    const { status, headers } = await caller.get(`/v1/transactions/${id}`);
    return [status, headers['x-soft-limit-name']];
  };
  const lookTimes = async (times: number) => {
    const seen: unknown[] = [];
    for (let time = 0; time < times; time += 1) seen.push(await look());
    return seen;
  };
  return { lookTimes, end: () => caller.delete(`/v1/recipients/${recipient.id}`) };
}

const ALLOWED = [200, 'transaction_checks'];
const REFUSED = [429, 'transaction_checks'];
const AS_THE_DAY_ALLOWS = [200, 'transactions_daily'];

describe('a transaction', () => {
  it('that is active may be looked at six times in its first hour', async () => {
    const { lookTimes } = await watched();
    expect(await lookTimes(8)).toEqual([...Array(6).fill(ALLOWED), REFUSED, REFUSED]);
  });

  it('that was refunded may be looked at as often as the day allows, in its first hour too', async () => {
    const { lookTimes, end } = await watched();
    await end();
    expect(await lookTimes(8)).toEqual(Array(8).fill(AS_THE_DAY_ALLOWS));
  });

  it('that ends when its looks are used up can be looked at again', async () => {
    const { lookTimes, end } = await watched();
    expect(await lookTimes(7)).toEqual([...Array(6).fill(ALLOWED), REFUSED]);
    await end();
    expect(await lookTimes(2)).toEqual([AS_THE_DAY_ALLOWS, AS_THE_DAY_ALLOWS]);
  });

  it('that was paid by itself, unseen, is not refused either', async () => {
    const { lookTimes } = await watched();
    await lookTimes(6);
    await app.engine.run();
    expect(await lookTimes(2)).toEqual([AS_THE_DAY_ALLOWS, AS_THE_DAY_ALLOWS]);
  });
});
