/** A rate sheet against USD, all of one time: what matters to a test is passed in. */
import type { CurrencyCode } from '../../server/src/money/currencies.ts';
import type { Rate } from '../../server/src/rates/rate.ts';
import type { RateSheet } from '../../server/src/rates/sheet.ts';

const AS_OF = new Date('2026-11-16T08:00:00Z');

export function sheetOf(rates: Partial<Record<CurrencyCode, Rate>>, more: Partial<RateSheet> = {}): RateSheet {
  const asOf = more.asOf ?? AS_OF;
  const entries = Object.entries(rates) as [CurrencyCode, Rate][];
  return {
    base: 'USD',
    sample: false,
    ...more,
    asOf,
    rates: new Map(entries.map(([code, each]) => [code, { rate: each, asOf }])),
  };
}
