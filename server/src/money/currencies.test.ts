import { describe, expect, it } from 'vitest';
import { CURRENCIES, type Currency, currencyOf, isCurrency } from './currencies.ts';
import { unitMinor } from './rounding.ts';

/** The specification's Limits, as it lists them. */
const TWO_DECIMALS = ['AED', 'CAD', 'CHF', 'CNY', 'EUR', 'GHS', 'GBP', 'MAD', 'USD', 'ZAR'] as const;
const NO_DECIMALS = ['JPY', 'KES', 'KRW', 'NGN', 'TZS', 'UGX', 'XOF', 'XAF'] as const;
const ROUNDED_UP = ['XOF', 'XAF', 'KES', 'TZS', 'UGX', 'NGN'] as const;
/** Currencies that only the corridors have. */
const CORRIDORS = ['GNF', 'BWP', 'BRL', 'ZMW', 'EGP', 'NZD', 'INR', 'PEN', 'GTQ', 'CRC', 'VND', 'BTC'] as const;

const rows: readonly Currency[] = CURRENCIES;

describe('the currency table', () => {
  it('has the currencies of the specification in its order, then those of the corridors', () => {
    expect(rows.map((row) => row.code)).toEqual([...TWO_DECIMALS, ...NO_DECIMALS, ...CORRIDORS]);
  });

  it.each(TWO_DECIMALS)('gives %s two decimal places', (code) => {
    expect(currencyOf(code).decimals).toBe(2);
  });

  it.each(NO_DECIMALS)('gives %s no decimal places', (code) => {
    expect(currencyOf(code).decimals).toBe(0);
  });

  it('rounds up the six currencies whose subunits cannot be paid out, and cuts all others', () => {
    const up = rows.filter((row) => row.rounding === 'up').map((row) => row.code);
    expect(up.toSorted()).toEqual(ROUNDED_UP.toSorted());
  });

  it.each([
    ['GNF', 0, 0],
    ['VND', 0, 0],
    ['BTC', 8, 8],
    ['BRL', 2, 2],
  ] as const)('gives %s, which the specification does not list, %i decimal places', (code, decimals, minorDigits) => {
    expect(currencyOf(code)).toMatchObject({ decimals, minorDigits, rounding: 'cut' });
  });

  it.each([
    ['NGN', 100n],
    ['KES', 100n],
    ['TZS', 100n],
    ['UGX', 1n],
    ['XOF', 1n],
    ['JPY', 1n],
    ['USD', 1n],
    ['BTC', 1n],
  ] as const)('keeps %s in minor units of which %i make the smallest payable amount', (code, unit) => {
    expect(unitMinor(code)).toBe(unit);
  });

  it('never has more decimal places than the minor unit', () => {
    expect(rows.filter((row) => row.decimals > row.minorDigits)).toEqual([]);
  });

  it('knows a currency by its upper-case code only', () => {
    expect(isCurrency('USD')).toBe(true);
    for (const other of ['usd', 'USD ', 'XXX', 'toString', '', null, undefined, 840, ['USD']]) {
      expect(isCurrency(other)).toBe(false);
    }
  });
});
