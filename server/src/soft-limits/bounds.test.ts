import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../../test/http/edge.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { transactionTable } from '../transactions/states.ts';
import { MAX_COUNTERS, SoftLimits } from './counter.ts';
import { isEndedState, limitedGroupOf } from './limits.ts';
import { MAX_WATCHED_TRANSACTIONS, StatusChecks } from './status-checks.ts';

const { db } = await freshDatabase();
const ids = timeOrderedIds();

describe('what is remembered in memory', () => {
  it('are the transactions that were looked at last; the one before them begins anew', () => {
    const checks = new StatusChecks();
    const nowMs = Date.now();
    const [first, second] = [ids.next(), ids.next()];
    const check = (id: string) => checks.count('account', id, nowMs)?.used;
    expect([check(first), check(second), check(first)]).toEqual([1, 1, 2]);
    for (let place = 0; place < MAX_WATCHED_TRANSACTIONS - 1; place += 1) check(ids.next());
    expect([check(first), check(second)]).toEqual([3, 1]);
  });

  it('are the counters of as many accounts as there is room for', () => {
    const limits = new SoftLimits({ db, clock: manualClock(new Date()), settings: settingsFor({}) });
    const count = (accountId: string) => limits.count('transaction', { accountId, objectId: undefined })[0]?.used;
    expect([count('first'), count('second'), count('first')]).toEqual([1, 1, 2]);
    for (let place = 0; place < MAX_COUNTERS - 1; place += 1) count(String(place));
    expect([count('second'), count('first')]).toEqual([2, 1]);
  });

  it('counts an id that does not tell its time, or tells of the future, as new', () => {
    const checks = new StatusChecks();
    const future = timeOrderedIds(() => 5_000).next();
    expect(checks.count('account', future, 1_000)).toMatchObject({ allowed: 6, resetsAtMs: 3_601_000 });
    const random = '0198a1b2-0000-4000-8000-000000000000';
    expect(checks.count('account', random, 1_000)).toMatchObject({ allowed: 6, resetsAtMs: 3_601_000 });
  });
});

describe('a transaction that has ended', () => {
  it('is in a state that nothing but a refund leads out of', () => {
    const { states, steps } = transactionTable;
    const isLast = (state: string) => steps.every(({ from, to }) => from !== state || to === 'refunded');
    expect(states.filter(isEndedState)).toEqual(states.filter(isLast));
  });
});

describe('which calls are counted', () => {
  it.each([
    ['GET', '/v1/transactions/:id', 'transaction'],
    ['GET', '/v1/transactions', null],
    ['GET', '/v1/accounts', 'balance'],
    ['GET', '/v1/accounts/:currency', 'balance'],
    ['POST', '/v1/accounts/debits', null],
    ['GET', '/v1/accountsx', null],
    ['GET', '/v1/info/currencies', 'rate'],
    ['GET', '/v1/info/currencies/in', 'rate'],
    ['GET', '/info/currencies/out', 'rate'],
    ['GET', '/v1/info/currenciesx', null],
    ['GET', '/v1/info/payment_methods/in', null],
  ])('%s %s: %s', (method, route, group) => {
    expect(limitedGroupOf(method, route)).toBe(group);
  });
});
