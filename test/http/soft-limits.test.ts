/** Soft limits: shown on each answer and counted; beyond them calls are refused only when the operator says so. */
import { describe, expect, it } from 'vitest';
import { limitCalls } from '../../server/src/http/limit-calls.ts';
import type { Routes } from '../../server/src/http/server.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { SoftLimits } from '../../server/src/soft-limits/counter.ts';
import type { LimitedGroup } from '../../server/src/soft-limits/limits.ts';
import { freshDatabase } from '../support/database.ts';
import { manualClock } from '../support/manual-clock.ts';
import type { Answer } from '../support/signed-caller.ts';
import { callerOf, makeAccount, settingsFor, startEdge } from './edge.ts';

const MIDNIGHT = new Date('2026-05-11T00:00:00.000Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const { db } = await freshDatabase();
const clock = manualClock(MIDNIGHT);
const ids = timeOrderedIds(() => clock.now().getTime());

/** Stand for the real ones, under the same addresses. */
const reads: Routes = (server) => {
  for (const path of ['/v1/transactions/:id', '/v1/transactions', '/v1/info/currencies', '/v1/info/currencies/in']) {
    server.get(path, { config: { call: 'read' } }, async () => ({ object: {} }));
  }
};

async function startLimited(flags: Readonly<Record<string, string>> = {}) {
  const settings = settingsFor(flags);
  const metrics = createMetrics({ process: false });
  const limits = new SoftLimits({ db, clock, settings });
  const edge = await startEdge({ db, clock, flags, routes: [limitCalls({ settings, clock, metrics }, limits), reads] });
  return { edge, limits, metrics };
}

const open = await startLimited();
const strict = await startLimited({ limitsEnforceSoft: 'true' });

async function newCaller({ edge } = open) {
  const account = await makeAccount(db);
  return { ...account, caller: callerOf(edge, account) };
}

/** Name, limit, remaining and reset, as an answer shows them. */
function shownOn({ headers }: Answer): (string | undefined)[] {
  return ['name', 'limit', 'remaining', 'reset'].map((word) => headers[`x-soft-limit-${word}`]);
}

function countTimes(limits: SoftLimits, accountId: string, group: LimitedGroup, times: number): void {
  for (let time = 0; time < times; time += 1) limits.count(group, { accountId, objectId: undefined });
}

const overOf = async ({ metrics }: typeof open, limit: string) =>
  Number(new RegExp(`exceeded_total\\{limit="${limit}"\\} (\\d+)`).exec(await metrics.text())?.[1] ?? 0);

describe('the day', () => {
  it.each([
    ['a transaction', '/v1/transactions/x', 'transaction', 'transactions_daily', 2_500],
    ['the balances', '/v1/accounts', 'balance', 'balances_daily', 300],
    ['one balance', '/v1/accounts/USD', 'balance', 'balances_daily', 300],
    ['the rates', '/v1/info/currencies', 'rate', 'rates_daily', 300],
    ['the rates by input', '/v1/info/currencies/in', 'rate', 'rates_daily', 300],
  ] as const)('counts calls for %s, shows when none is left, and begins anew', async (_, path, group, name, limit) => {
    clock.set(MIDNIGHT);
    const { accountId, caller } = await newCaller();
    countTimes(open.limits, accountId, group, limit - 1);
    const before = await overOf(open, name);
    clock.advance(DAY_MS - 1_500);
    expect(shownOn(await caller.get(path))).toEqual([name, String(limit), '0', '2']);
    expect(await overOf(open, name)).toBe(before);
    const beyond = await caller.get(path);
    expect(shownOn(beyond)).toEqual([name, String(limit), '0', '2']);
    expect(beyond.status).not.toBe(429);
    expect(await overOf(open, name)).toBe(before + 1);
    clock.advance(1_500);
    await caller.get(path);
    expect(open.limits.count(group, { accountId, objectId: undefined })[0]).toMatchObject({ name, used: 2 });
  });

  it('counts each account apart', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    countTimes(open.limits, one.accountId, 'rate', 400);
    expect(shownOn(await one.caller.get('/v1/info/currencies'))[0]).toBe('rates_daily');
    expect(shownOn(await other.caller.get('/v1/info/currencies'))[0]).toBe('rates_pace');
  });

  it.each([['/v1/transactions'], ['/health/live']])('does not count %s', async (path) => {
    const { caller } = await newCaller();
    expect(shownOn(await caller.get(path))).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('the pace', () => {
  it.each([
    ['balances', '/v1/accounts', '/v1/accounts/USD'],
    ['rates', '/v1/info/currencies', '/v1/info/currencies/in'],
  ])('of %s is one call in five minutes, whichever of the addresses is called', async (name, first, second) => {
    clock.set(MIDNIGHT);
    const { caller } = await newCaller(strict);
    const pace = [`${name}_pace`, '1', '0'];
    expect(shownOn(await caller.get(first))).toEqual([...pace, '300']);
    clock.advance(5 * MINUTE_MS - 1);
    const tooSoon = await caller.get(second);
    expect([tooSoon.status === 429, ...shownOn(tooSoon)]).toEqual([true, ...pace, '1']);
    clock.advance(1);
    const next = await caller.get(second);
    expect([next.status === 429, ...shownOn(next)]).toEqual([false, ...pace, '300']);
  });
});

describe('the limit that is shown', () => {
  it('is the one that leaves the fewest calls, while none is exceeded', async () => {
    clock.set(MIDNIGHT);
    const { accountId, caller } = await newCaller();
    const path = `/v1/transactions/${ids.next()}`;
    expect(shownOn(await caller.get(path)).slice(0, 3)).toEqual(['transaction_checks', '6', '5']);
    countTimes(open.limits, accountId, 'transaction', 2_495);
    expect(shownOn(await caller.get(path)).slice(0, 3)).toEqual(['transactions_daily', '2500', '3']);
  });
});

describe('status checks of a transaction', () => {
  it('are six in its first hour and one in each hour after, for each transaction apart', async () => {
    clock.set(new Date(MIDNIGHT.getTime() + 10 * MINUTE_MS));
    const { caller } = await newCaller();
    const [path, other] = [`/v1/transactions/${ids.next()}`, `/v1/transactions/${ids.next()}`];
    const overs = () => overOf(open, 'transaction_checks');
    const before = await overs();
    const left: (string | undefined)[] = [];
    for (let check = 0; check < 6; check += 1) left.push(shownOn(await caller.get(path))[2]);
    expect(left).toEqual(['5', '4', '3', '2', '1', '0']);
    expect(await overs()).toBe(before);
    clock.advance(HOUR_MS - 1);
    expect(shownOn(await caller.get(path))).toEqual(['transaction_checks', '6', '0', '1']);
    expect(await overs()).toBe(before + 1);
    await caller.get(other);
    clock.advance(1);
    for (let later = 1; later <= 2; later += 1) {
      await caller.get(path);
      expect(await overs()).toBe(before + later);
      await caller.get(path);
      expect(await overs()).toBe(before + later + 1);
      clock.advance(HOUR_MS);
    }
  });
});

describe('enforcement', () => {
  it('refuses what is beyond with 429, and takes calls again when the time is over', async () => {
    clock.set(MIDNIGHT);
    const { caller } = await newCaller(strict);
    expect((await caller.get('/v1/accounts')).status).toBe(200);
    clock.advance(MINUTE_MS);
    const refused = await caller.get('/v1/accounts');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('240');
    expect(refused.body).toEqual({ status: 429, error: 'too many calls' });
    expect((await caller.get('/v1/transactions/x')).status).toBe(200);
    clock.advance(4 * MINUTE_MS);
    expect((await caller.get('/v1/accounts')).status).toBe(200);
  });
});

describe('several processes', () => {
  it('count together once they have told each other', async () => {
    clock.set(MIDNIGHT);
    const { accountId } = await newCaller();
    const [one, other] = [0, 1].map(() => new SoftLimits({ db, clock, settings: settingsFor({}) }));
    const used = (limits: SoftLimits | undefined) => limits?.count('rate', { accountId, objectId: undefined })[0]?.used;
    expect([used(one), used(one), used(other)]).toEqual([1, 2, 1]);
    await one?.sync();
    await other?.sync();
    expect([used(one), used(other)]).toEqual([3, 4]);
    await Promise.all([one?.sync(), other?.sync()]);
    const restarted = new SoftLimits({ db, clock, settings: settingsFor({ databaseOneTenantBatches: 'true' }) });
    used(restarted);
    await restarted.sync();
    expect(used(restarted)).toBe(7);
  });

  it('keep counts for two days', async () => {
    const { accountId } = await newCaller();
    clock.set(MIDNIGHT);
    const limits = new SoftLimits({ db, clock, settings: settingsFor({}) });
    countTimes(limits, accountId, 'transaction', 1);
    await limits.sync();
    const count = async () =>
      (await db.query('select 1 from soft_limit_counts where account_id = $1::uuid', [accountId])).length;
    clock.advance(2 * DAY_MS);
    await limits.dropOld();
    expect(await count()).toBe(1);
    clock.advance(1);
    await limits.dropOld();
    expect(await count()).toBe(0);
  });
});
