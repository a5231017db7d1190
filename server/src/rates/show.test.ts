/** What Prometheus is told of the rates, in a live process with a source. */
import { afterAll, describe, expect, it } from 'vitest';
import { contextOn, TEST_START } from '../../../test/operator/support.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { createMetrics } from '../observability/metrics.ts';
import { type Rate, rate } from './rate.ts';
import { openRateBook } from './refresh.ts';
import type { RateSheet } from './sheet.ts';
import { showRates } from './show.ts';
import { storeNewerRates } from './store.ts';

const HOUR_MS = 3_600_000;
/** Hours from the start of the test on. */
const hour = (number: number) => new Date(TEST_START.getTime() + number * HOUR_MS);

function sheetOf(asOf: Date, ngn: bigint, sample = false): RateSheet {
  const each = (value: Rate) => ({ rate: value, asOf });
  return {
    base: 'USD',
    asOf,
    sample,
    rates: new Map([
      ['NGN', each(rate(ngn, 1n))],
      ['KES', each(rate(129n, 1n))],
    ]),
  };
}

async function openShown(flags: Record<string, string>, mode: 'live' | 'sandbox' = 'live') {
  const { db } = await freshDatabase();
  const { ctx, moveClock } = contextOn(db, { mode, flags: { ratesRefreshEvery: '1h', ...flags } });
  const metrics = createMetrics({ process: false });
  const offered: { now: RateSheet | Error } = { now: sheetOf(hour(-1), 1_500n, mode === 'sandbox') };
  const read = async () => {
    if (offered.now instanceof Error) throw offered.now;
    return offered.now;
  };
  let isAway = false;
  const away: typeof db.inTx = () => Promise.reject(new Error('the database is away'));
  const between: typeof db = { ...db, inTx: (work) => (isAway ? away(work) : db.inTx(work)) };
  const book = await openRateBook({ ...ctx, db: between }, { read });
  afterAll(() => book.close());
  showRates(metrics, book, ctx.clock);
  const shown = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('payferry_rate_') && !line.includes('faults'));
  const offer = async (sheet: RateSheet | Error) => {
    offered.now = sheet;
    await book.refresh();
  };
  const loseDatabase = (isLost: boolean) => {
    isAway = isLost;
  };
  return { db, book, moveClock, shown, offer, loseDatabase };
}

describe('a live process', async () => {
  const { db, book, moveClock, shown, offer, loseDatabase } = await openShown({ ratesMaxChangePercent: '20' });

  it('shows how old the rate of each currency is', async () => {
    expect(await shown()).toEqual([
      'payferry_rate_age_seconds{currency="KES"} 3600',
      'payferry_rate_age_seconds{currency="NGN"} 3600',
      'payferry_rate_refused{currency="KES"} 0',
      'payferry_rate_refused{currency="NGN"} 0',
      'payferry_rate_source_broken 0',
    ]);
    moveClock(HOUR_MS);
    expect(await shown()).toContain('payferry_rate_age_seconds{currency="NGN"} 7200');
  });

  it('shows a rate that is too far from the one in force as refused, and its age goes on', async () => {
    await offer(sheetOf(hour(0), 15_000n));
    const refused = [
      'payferry_rate_age_seconds{currency="KES"} 3600',
      'payferry_rate_age_seconds{currency="NGN"} 7200',
      'payferry_rate_refused{currency="KES"} 0',
      'payferry_rate_refused{currency="NGN"} 1',
      'payferry_rate_source_broken 0',
    ];
    expect(await shown()).toEqual(refused);
    loseDatabase(true);
    await book.refresh();
    loseDatabase(false);
    expect(await shown()).toEqual(refused);
  });

  it('shows a source that cannot be used as broken, and says nothing about single rates then', async () => {
    for (const bad of [new Error('no such file'), sheetOf(hour(3), 1_500n), sheetOf(hour(0), 1n, true)]) {
      await offer(sheetOf(hour(0), 15_000n));
      expect(await shown()).toContain('payferry_rate_source_broken 0');
      await offer(bad);
      expect(await shown()).toEqual(
        expect.arrayContaining(['payferry_rate_refused{currency="NGN"} 0', 'payferry_rate_source_broken 1']),
      );
    }
  });

  it('shows that all is well again once the source is right', async () => {
    await offer(sheetOf(hour(1), 1_510n));
    expect(await shown()).toEqual(
      expect.arrayContaining([
        'payferry_rate_age_seconds{currency="NGN"} 0',
        'payferry_rate_refused{currency="NGN"} 0',
        'payferry_rate_source_broken 0',
      ]),
    );
  });

  it('shows a rate that is dated ahead as older than any alert allows', async () => {
    const ahead = { currency: 'BWP', rate: rate(13n, 1n), asOf: hour(9), origin: 'file' } as const;
    await db.inTx((tx) => storeNewerRates(tx, [ahead], TEST_START));
    await book.refresh();
    const [, seconds] = /currency="BWP"} (\d+)/.exec((await shown()).join('\n')) ?? [];
    expect(Number(seconds)).toBeGreaterThan(50 * 365 * 86_400);
  });
});

describe('a sandbox', async () => {
  const { shown } = await openShown({}, 'sandbox');

  it('shows no age of made-up prices', async () => {
    const lines = await shown();
    expect(lines.filter((line) => line.startsWith('payferry_rate_age_seconds'))).toEqual([]);
    expect(lines).toContain('payferry_rate_source_broken 0');
  });
});
