import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { type Amount, amount, MAX_MINOR } from './amount.ts';
import { CURRENCIES, type CurrencyCode, currencyOf, minorPerUnit } from './currencies.ts';
import { balanceToJsonNumber, toDecimalString, toJsonNumber } from './format.ts';
import { parseAmount, parseExactDecimal, parseReceivedAmount } from './parse.ts';
import { unitMinor } from './rounding.ts';

const PROPERTY_RUNS = 300;
const codes = CURRENCIES.map((row) => row.code);

describe('an amount that is shown', () => {
  it.each<[bigint, CurrencyCode, string, number]>([
    [75_000n, 'USD', '750.00', 750],
    [5n, 'USD', '0.05', 0.05],
    [-5n, 'USD', '-0.05', -0.05],
    [0n, 'USD', '0.00', 0],
    [29_475_000n, 'NGN', '294750.00', 294750],
    [50n, 'NGN', '0.50', 0.5],
    [1_500n, 'XOF', '1500', 1500],
    [-1n, 'UGX', '-1', -1],
    [1n, 'BTC', '0.00000001', 1e-8],
    [123_456_789n, 'BTC', '1.23456789', 1.23456789],
    [MAX_MINOR, 'USD', '9999999999999.99', 9999999999999.99],
    [-MAX_MINOR, 'JPY', '-999999999999999', -999999999999999],
  ])('%i minor units of %s are %s', (minor, currency, text, number) => {
    expect(toDecimalString(amount(minor, currency))).toBe(text);
    expect(toJsonNumber(amount(minor, currency))).toBe(number);
  });

  it('faults rather than show another number than it is', () => {
    const beyondTheBound: Amount = { minor: 1_234_567_890_123_456_789n, currency: 'USD' };
    expect(toDecimalString(beyondTheBound)).toBe('12345678901234567.89');
    expect(() => toJsonNumber(beyondTheBound)).toThrow(BrokenInvariant);
  });
});

describe('the number that shows an amount', () => {
  it.each(codes)('is the double that its decimal text is read as, in %s', (currency) => {
    fc.assert(
      fc.property(fc.bigInt(-MAX_MINOR, MAX_MINOR), (minor) => {
        const value = amount(minor, currency);
        expect(toJsonNumber(value)).toBe(Number(toDecimalString(value)));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('an amount that is shown and read again', () => {
  it.each(codes)('is the same amount in %s', (currency) => {
    const { minorDigits } = currencyOf(currency);
    const unit = unitMinor(currency);
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_MINOR / unit), (units) => {
        const value = amount(units * unit, currency);
        const same = { ok: true, value };
        expect(parseAmount(toDecimalString(value), currency)).toEqual(same);
        expect(parseAmount(JSON.parse(JSON.stringify(toJsonNumber(value))), currency)).toEqual(same);
      }),
      { numRuns: PROPERTY_RUNS },
    );
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_MINOR), (minor) => {
        const value = amount(minor, currency);
        const text = toDecimalString(value);
        expect(text.split('.')[1]?.length ?? 0).toBe(minorDigits);
        expect(parseReceivedAmount(text, currency)).toEqual({ ok: true, value });
        expect(parseReceivedAmount(toJsonNumber(value), currency)).toEqual({ ok: true, value });
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

it.each(codes)('a balance in %s is shown to the minor unit up to four times the largest amount', (currency) => {
  const most = 4n * MAX_MINOR;
  fc.assert(
    fc.property(fc.bigInt(-most, most), (minor) => {
      const shown = parseExactDecimal(String(balanceToJsonNumber({ minor, currency })));
      expect(shown && (shown.num * minorPerUnit(currency)) / shown.den).toBe(minor);
      expect(shown && (shown.num * minorPerUnit(currency)) % shown.den).toBe(0n);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});
