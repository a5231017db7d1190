import { describe, expect, it } from 'vitest';
import { commandFor, defaultSettings, sampleRates } from '../../../test/support/create-facts.ts';
import type { PayoutWish } from '../../../test/support/payout.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { Settings } from '../settings/shape.ts';
import { areRatesStale, ratesFor } from './rate-facts.ts';

const { sheet, margins } = sampleRates;
const DAY_MS = 86_400_000;
const SANDBOX = defaultSettings();
const LIVE: Settings = { ...SANDBOX, mode: 'live' };
const rates = {
  current: () => sheet,
  source: () => undefined,
  refresh: async () => undefined,
  close: async () => undefined,
};

function isStale(ageMs: number, { settings = LIVE, wish = {}, fresh = [] }: Case = {}): boolean {
  const now = new Date(sheet.asOf.getTime() + ageMs);
  const renewed = fresh.map((code) => [code, { rate: { num: 1n, den: 1n }, asOf: now }] as const);
  const used = { ...sheet, rates: new Map([...sheet.rates, ...renewed]) };
  return areRatesStale({ rates, margins, settings }, used, commandFor(wish).draft, now);
}

interface Case {
  readonly settings?: Settings;
  readonly wish?: PayoutWish;
  /** Currencies whose price is of this moment. */
  readonly fresh?: readonly CurrencyCode[];
}

/** What 1 of the input currency is worth in dollars, as a transaction would keep it. */
function usdRate(ageMs: number, { settings = LIVE, wish = {} }: Case = {}) {
  const now = new Date(sheet.asOf.getTime() + ageMs);
  return ratesFor({ rates, margins, settings }, commandFor(wish).draft, now).usdRate;
}

describe('the value in dollars', () => {
  const euros = { inputCurrency: 'EUR', requestedCurrency: 'EUR' };
  const EUR_USD = { num: 25n, den: 23n };

  it('is told by a rate that may be used, and otherwise by none', () => {
    expect(usdRate(DAY_MS - 1, { wish: euros })).toEqual(EUR_USD);
    expect(usdRate(DAY_MS, { wish: euros })).toBeUndefined();
  });

  it('is told by any rate in a sandbox', () => {
    expect(usdRate(1_000 * DAY_MS, { settings: SANDBOX, wish: euros })).toEqual(EUR_USD);
  });

  it('of dollars needs no rate', () => {
    expect(usdRate(1_000 * DAY_MS)).toEqual({ num: 1n, den: 1n });
  });

  it('is that of an input currency', () => {
    expect(usdRate(0, { wish: { inputCurrency: 'XXX' } })).toBeUndefined();
  });
});

describe('rates that are too old', () => {
  it('are those of a day ago, to the millisecond', () => {
    expect(isStale(DAY_MS - 1)).toBe(false);
    expect(isStale(DAY_MS)).toBe(true);
  });

  it('do not matter in a sandbox', () => {
    expect(isStale(1_000 * DAY_MS, { settings: SANDBOX })).toBe(false);
  });

  it('are told by the age that the operator set', () => {
    const settings = { ...LIVE, rates: { ...LIVE.rates, staleAfterMs: 60_000 } };
    expect(isStale(59_999, { settings })).toBe(false);
    expect(isStale(60_000, { settings })).toBe(true);
  });

  it('matter only for the currencies of the transaction', () => {
    expect(isStale(DAY_MS, { fresh: ['NGN'] })).toBe(false);
    expect(isStale(DAY_MS, { fresh: ['EUR'] })).toBe(true);
    const third = { recipient: { requested_currency: 'GBP' } };
    expect(isStale(DAY_MS, { fresh: ['NGN'], wish: third })).toBe(true);
    expect(isStale(DAY_MS, { fresh: ['NGN', 'GBP'], wish: third })).toBe(false);
  });

  it('do not matter where nothing can be quoted anyway', () => {
    expect(isStale(DAY_MS, { wish: { inputCurrency: 'XXX' } })).toBe(false);
    expect(isStale(DAY_MS, { wish: { over: { recipients: [] } } })).toBe(false);
  });
});
