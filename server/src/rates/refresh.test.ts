/** Keeping rates current: from a source into the table, from the table into the memory of every process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { contextOn } from '../../../test/operator/support.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Log, silentLog } from '../kernel/log.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { type Rate, rate } from './rate.ts';
import { isStale, loadRates, openRateBook, refreshRates } from './refresh.ts';
import { RateDataInvalid, type RateSheet } from './sheet.ts';
import type { RateSource } from './source.ts';
import { announceRates, storeNewerRates } from './store.ts';

const EIGHT = new Date('2026-11-16T08:00:00Z');

function sheetOf(rates: Partial<Record<CurrencyCode, Rate>>, more: Partial<RateSheet> = {}): RateSheet {
  const asOf = more.asOf ?? EIGHT;
  const entries = Object.entries(rates) as [CurrencyCode, Rate][];
  return {
    base: 'USD',
    sample: false,
    ...more,
    asOf,
    rates: new Map(entries.map(([code, each]) => [code, { rate: each, asOf }])),
  };
}

const from = (sheet: RateSheet): RateSource => ({ read: async () => sheet });

/** Waits for something that another process causes; fails the test when it never comes. */
async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isSo(); tries += 1) await sleep(25);
  expect(isSo()).toBe(true);
}

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
    await until(() => ngn() === 1_501n);
  });

  it('keeps its rates while the source is broken, and warns once', async () => {
    offered = new Error('the file is gone');
    await book.refresh();
    await book.refresh();
    expect(ngn()).toBe(1_501n);
    expect(warnings).toEqual(['rates could not be refreshed']);
  });

  it('hears of a rate that an operator sets in another process', async () => {
    const slow = contextOn(db, { flags: { ratesRefreshEvery: '1h' } }).ctx;
    const other = await openRateBook(slow, undefined);
    const set = { currency: 'NGN', rate: rate(1_600n, 1n), asOf: ctx.clock.now(), origin: 'operator ada' } as const;
    await db.inTx(async (tx) => {
      await storeNewerRates(tx, [set], ctx.clock.now());
      await announceRates(tx);
    });
    await until(() => other.current().rates.get('NGN')?.rate.num === 1_600n);
    await other.close();
  });
});

it.each([
  ['just set', 0, false],
  ['a millisecond before its time', 86_399_999, false],
  ['at its time', 86_400_000, true],
  ['dated ahead', -5_000, false],
])('a rate that is %s has the staleness it should have', (_what, ageMs, stale) => {
  expect(isStale(EIGHT, new Date(EIGHT.getTime() + ageMs), 86_400_000)).toBe(stale);
});
