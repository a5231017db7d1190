/** Keeping rates current: from a source into the table, from the table into the memory of every process. */
import { afterAll, describe, expect, it } from 'vitest';
import { contextOn } from '../../../test/operator/support.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { sheetOf } from '../../../test/support/rate-sheet.ts';
import { refreshRates } from '../../../test/support/refresh-rates.ts';
import { until } from '../../../test/support/until.ts';
import { type Log, silentLog } from '../kernel/log.ts';
import { isStale, MAX_RATE_AHEAD_MS } from './age.ts';
import { putRate } from './in-force.ts';
import { rate } from './rate.ts';
import { loadRates, openRateBook } from './refresh.ts';
import { midAsOf, RateDataInvalid, type RateSheet } from './sheet.ts';
import type { RateSource } from './source.ts';
import { storeNewerRates } from './store.ts';

const EIGHT = new Date('2026-11-16T08:00:00Z');
const SOON = { withinMs: 10_000 };

const from = (sheet: RateSheet): RateSource => ({ read: async () => sheet });

describe('refreshing', async () => {
  const { db } = await freshDatabase();
  const { ctx } = contextOn(db);

  it('stores what is new and says which; reading the same sheet again stores nothing', async () => {
    const source = from(sheetOf({ NGN: rate(1_500n, 1n), EUR: rate(9n, 10n) }));
    expect([...(await refreshRates(ctx, source))].sort()).toEqual(['EUR', 'NGN']);
    expect(await refreshRates(ctx, source)).toEqual([]);
    const sheet = await loadRates(ctx);
    expect(sheet).toMatchObject({ base: 'USD', sample: false, asOf: EIGHT });
    expect(sheet.rates.get('NGN')).toEqual({ rate: rate(1_500n, 1n), asOf: EIGHT });
  });

  it('brings a sheet of another base to the US dollar, exactly', async () => {
    const asOf = new Date('2026-11-16T08:30:00Z');
    const sheet = sheetOf({ USD: rate(3n, 2n), GBP: rate(1n, 2n) }, { base: 'EUR', asOf });
    await refreshRates(ctx, from(sheet));
    const { rates } = await loadRates(ctx);
    expect(rates.get('EUR')?.rate).toEqual(rate(2n, 3n));
    expect(rates.get('GBP')?.rate).toEqual(rate(1n, 3n));
  });

  it.each([
    [
      'a sheet of another base without the US dollar',
      sheetOf({ GBP: rate(1n, 2n) }, { base: 'EUR' }),
      'no rate for USD',
    ],
    [
      'rates that get too long when they are brought to the US dollar',
      sheetOf({ USD: rate(10n ** 29n + 1n, 10n ** 29n), GBP: rate(10n ** 25n + 1n, 10n ** 10n) }, { base: 'EUR' }),
      'too many digits',
    ],
  ])('refuses %s and stores nothing of it', async (_what, sheet, message) => {
    const before = await loadRates(ctx);
    await expect(refreshRates(ctx, from(sheet))).rejects.toThrow(message);
    expect(await loadRates(ctx)).toEqual(before);
  });
});

describe('a sandbox whose clock was moved on', async () => {
  const { db } = await freshDatabase();

  it('takes a sheet of the day before, and one of its own day', async () => {
    const { ctx, moveClock } = contextOn(db);
    const today = sheetOf({ KES: rate(129n, 1n) }, { asOf: ctx.clock.now() });
    moveClock(400 * 86_400_000);
    expect(await refreshRates(ctx, from(today))).toEqual(['KES']);
    const moved = sheetOf({ KES: rate(130n, 1n) }, { asOf: ctx.clock.now() });
    expect(await refreshRates(ctx, from(moved))).toEqual(['KES']);
  });
});

describe('a sheet with a rate far from the one in force', async () => {
  const { db } = await freshDatabase();
  const { ctx } = contextOn(db);
  const careful = { ...ctx, settings: { ...ctx.settings, rates: { ...ctx.settings.rates, maxChangePercent: 20 } } };
  const at = (time: string, ngn: bigint, kes: bigint) =>
    refreshRates(careful, from(sheetOf({ NGN: rate(ngn, 1n), KES: rate(kes, 1n) }, { asOf: new Date(time) })));
  const inForce = async () => [...(await loadRates(ctx)).rates].map(([code, each]) => [code, each.rate.num]);

  it('keeps the old one, takes the others, and says so', async () => {
    await at('2026-11-16T07:00:00Z', 1_500n, 129n);
    await expect(at('2026-11-16T08:00:00Z', 15_000n, 130n)).rejects.toThrow(
      'rates: NGN: 15000 is more than 20 percent from 1500, the rate in force',
    );
    expect(await inForce()).toEqual([
      ['KES', 130n],
      ['NGN', 1_500n],
    ]);
  });

  it('is taken again once the file is right', async () => {
    expect(await at('2026-11-16T08:30:00Z', 1_510n, 130n)).toContain('NGN');
  });
});

describe('a sheet that is dated ahead', async () => {
  const { db } = await freshDatabase();
  const { ctx } = contextOn(db);
  const ngnAt = (value: bigint, asOf: Date) => refreshRates(ctx, from(sheetOf({ NGN: rate(value, 1n) }, { asOf })));
  const ngn = async () => (await loadRates(ctx)).rates.get('NGN')?.rate.num;

  it('by years is refused, and the right one is taken', async () => {
    await expect(ngnAt(1_000n, new Date('2036-11-16T08:00:00Z'))).rejects.toThrow(
      'rates: 2036-11-16T08:00:00.000Z is more than 5 minutes ahead of the clock',
    );
    expect(await ngn()).toBeUndefined();
    expect(await ngnAt(1_600n, EIGHT)).toEqual(['NGN']);
    expect(await ngn()).toBe(1_600n);
  });

  it('is taken as far as clocks may differ, and refused a millisecond beyond', async () => {
    const last = new Date(ctx.clock.now().getTime() + MAX_RATE_AHEAD_MS);
    await expect(ngnAt(1_700n, new Date(last.getTime() + 1))).rejects.toBeInstanceOf(RateDataInvalid);
    expect(await ngnAt(1_700n, last)).toEqual(['NGN']);
  });

  it('is taken when it is a sample, whose time is made up like its prices, but for what somebody has said', async () => {
    const sample = { sample: true, asOf: new Date('2036-11-16T08:00:00Z') };
    expect(await refreshRates(ctx, from(sheetOf({ NGN: rate(1_800n, 1n), KES: rate(129n, 1n) }, sample)))).toEqual([
      'KES',
    ]);
  });
});

describe('a stored rate that is dated ahead', async () => {
  const { db } = await freshDatabase();
  const ahead = new Date('2036-11-16T08:00:00Z');
  const set = { currency: 'NGN', rate: rate(1_000n, 1n), asOf: ahead, origin: 'file' } as const;
  await db.inTx((tx) => storeNewerRates(tx, [set], EIGHT));
  const ageOf = async (mode: 'sandbox' | 'live') => {
    const { ctx } = contextOn(db, { mode });
    await refreshRates(ctx, from(sheetOf({ EUR: rate(9n, 10n) })));
    const asOf = midAsOf(await loadRates(ctx), 'EUR', 'NGN');
    return asOf && { asOf, stale: isStale(asOf, ctx.clock.now(), 86_400_000) };
  };

  it('is stale where money is real, also in a pair with one that is fresh', async () => {
    expect(await ageOf('live')).toMatchObject({ stale: true });
  });

  it('leaves a sandbox as it was', async () => {
    expect(await ageOf('sandbox')).toEqual({ asOf: EIGHT, stale: false });
  });
});

describe('samples', async () => {
  const { db } = await freshDatabase();
  const sample = from(sheetOf({ NGN: rate(1n, 1n) }, { sample: true }));

  it('are used in the sandbox and marked, and do not exist in live mode', async () => {
    const sandbox = contextOn(db).ctx;
    const live = contextOn(db, { mode: 'live' }).ctx;
    await refreshRates(sandbox, sample);
    expect(await loadRates(sandbox)).toMatchObject({ sample: true });
    expect((await loadRates(live)).rates.size).toBe(0);
    await expect(refreshRates(live, sample)).rejects.toBeInstanceOf(RateDataInvalid);
  });

  it('give way to a file of one’s own, however old, and do not come back', async () => {
    const { ctx } = contextOn(db);
    const own = from(sheetOf({ NGN: rate(1_500n, 1n) }, { asOf: new Date('2020-01-01T00:00:00Z') }));
    expect(await refreshRates(ctx, own)).toEqual(['NGN']);
    expect(await refreshRates(ctx, sample)).toEqual([]);
    expect((await loadRates(ctx)).rates.get('NGN')?.rate).toEqual(rate(1_500n, 1n));
  });
});

describe('the book of a process', async () => {
  const { db } = await freshDatabase();
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
  const { ctx } = contextOn(db, { flags: { ratesRefreshEvery: '100ms' }, log });
  let offered: RateSheet | Error = sheetOf({ NGN: rate(1_500n, 1n) });
  const source: RateSource = {
    async read() {
      if (offered instanceof Error) throw offered;
      return offered;
    },
  };
  const book = await openRateBook(ctx, source);
  afterAll(() => book.close());
  const ngn = () => book.current().rates.get('NGN')?.rate.num;

  it('has rates from the start and takes over a newer sheet by itself', async () => {
    expect(ngn()).toBe(1_500n);
    offered = sheetOf({ NGN: rate(1_501n, 1n) }, { asOf: new Date(EIGHT.getTime() + 1) });
    await until('the rate is read', () => ngn() === 1_501n, SOON);
  });

  it('keeps its rates while the source is broken, and warns once', async () => {
    offered = new Error('the file is gone');
    await book.refresh();
    await book.refresh();
    expect(ngn()).toBe(1_501n);
    expect(warnings).toEqual(['rates could not be refreshed']);
  });

  it('keeps its rates when a file is dated ahead, and warns once', async () => {
    warnings.length = 0;
    offered = sheetOf({ NGN: rate(9n, 1n) }, { asOf: new Date('2036-11-16T08:00:00Z') });
    await book.refresh();
    await book.refresh();
    expect(ngn()).toBe(1_501n);
    expect(warnings).toEqual(['rates could not be refreshed']);
  });

  it('hears of a rate that an operator sets in another process, and of one that it takes from its file', async () => {
    const slow = contextOn(db, { flags: { ratesRefreshEvery: '1h' } }).ctx;
    const other = await openRateBook(slow, undefined);
    const heard = () => other.current().rates.get('NGN')?.rate.num;
    const now = ctx.clock.now();
    await db.inTx((tx) => putRate(tx, { currency: 'NGN', rate: rate(1_600n, 1n), origin: 'operator ada' }, now));
    await until('the rate is heard of', () => heard() === 1_600n, SOON);
    offered = sheetOf({ NGN: rate(1_601n, 1n) }, { asOf: new Date(now.getTime() + 1) });
    await until('the rate is heard of', () => heard() === 1_601n, SOON);
    await other.close();
  });
});

it.each([
  ['just set', 0, false],
  ['a millisecond before its time', 86_399_999, false],
  ['at its time', 86_400_000, true],
  ['dated ahead by seconds', -5_000, false],
  ['dated ahead as far as clocks may differ', -MAX_RATE_AHEAD_MS, false],
  ['dated further ahead', -MAX_RATE_AHEAD_MS - 1, true],
])('a rate that is %s has the staleness it should have', (_what, ageMs, stale) => {
  expect(isStale(EIGHT, new Date(EIGHT.getTime() + ageMs), 86_400_000)).toBe(stale);
});
