import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { amount } from '../money/amount.ts';
import * as rates from './rate.ts';

const PROPERTY_RUNS = 1_000;
const part = fc.bigInt(1n, 10n ** BigInt(rates.MAX_WRITTEN_RATE_DIGITS) - 1n);
const anyRate = fc.tuple(part, part).map(([num, den]) => rates.rate(num, den));

describe('a rate', () => {
  it('is kept in lowest terms and above zero', () => {
    expect(rates.rate(152_540n, 100n)).toEqual({ num: 7_627n, den: 5n });
    expect(() => rates.rate(0n, 1n)).toThrow(BrokenInvariant);
    expect(() => rates.rate(1n, -1n)).toThrow(BrokenInvariant);
    expect(() => rates.rate(10n ** BigInt(rates.MAX_RATE_DIGITS), 1n)).toThrow(BrokenInvariant);
    expect(() => rates.rate(1n, 10n ** BigInt(rates.MAX_RATE_DIGITS))).toThrow(BrokenInvariant);
  });

  it('is read from a decimal string exactly', () => {
    expect(rates.rateFromDecimal('1525.40')).toEqual({ num: 7_627n, den: 5n });
    expect(rates.rateFromDecimal('0.000015')).toEqual({ num: 3n, den: 200_000n });
    expect(rates.rateFromDecimal('1.5e-5')).toEqual({ num: 3n, den: 200_000n });
    expect(rates.rateFromDecimal('9'.repeat(rates.MAX_WRITTEN_RATE_DIGITS))).toBeDefined();
  });

  it.each(['0', '0.00', '-1', '', 'x', '1/2', '1e30', '1e-30', '9'.repeat(rates.MAX_WRITTEN_RATE_DIGITS + 1)])(
    'is not read from %o',
    (text) => {
      expect(rates.rateFromDecimal(text)).toBeUndefined();
    },
  );

  it.each([
    '',
    '1',
    '1/0',
    '0/1',
    '-1/2',
    '01/2',
    '1/2/3',
    '1.5/2',
    ' 1/2',
    `1/${'9'.repeat(rates.MAX_RATE_DIGITS + 1)}`,
  ])('is not read from the stored text %o', (text) => {
    expect(rates.parseRate(text)).toBeUndefined();
  });

  it('is the same after it was stored as text', () => {
    expect(rates.formatRate(rates.rate(152_540n, 100n))).toBe('7627/5');
    fc.assert(
      fc.property(anyRate, (value) => {
        expect(rates.parseRate(rates.formatRate(value))).toEqual(value);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('of the largest size is the same after it was stored as text', () => {
    const largest = 10n ** BigInt(rates.MAX_RATE_DIGITS) - 1n;
    const value = rates.rate(largest, largest - 1n);
    expect(rates.parseRate(rates.formatRate(value))).toEqual(value);
  });
});

describe('cross rates', () => {
  it('are units of one currency per unit of the other, through the base', () => {
    const naira = rates.rate(1_525n, 1n);
    const euro = rates.rate(92n, 100n);
    expect(rates.cross({ from: euro, to: naira })).toEqual(rates.rate(152_500n, 92n));
  });

  it('there and back multiply to exactly one', () => {
    fc.assert(
      fc.property(anyRate, anyRate, (a, b) => {
        const there = rates.cross({ from: a, to: b });
        const back = rates.cross({ from: b, to: a });
        expect(rates.multiply(there, back)).toEqual(rates.ONE);
        expect(rates.invert(there)).toEqual(back);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('converting', () => {
  it.each([
    ['10.00 USD at 1525.4 are 15254.00 NGN', amount(1_000n, 'USD'), '1525.4', 'NGN', 1_525_400n],
    ['10.00 USD at 603.48 are 6034.8 XOF, which has no minor unit', amount(1_000n, 'USD'), '603.48', 'XOF', 6_034n],
    ['5 XOF at 0.0125 are 0.0625 USD, so 6 whole cents', amount(5n, 'XOF'), '0.0125', 'USD', 6n],
    ['1.00 USD at 0.000015 is 1500 satoshi', amount(100n, 'USD'), '0.000015', 'BTC', 1_500n],
  ] as const)('minds the minor units of both sides: %s', (_what, from, text, to, wholeMinor) => {
    const at = rates.rateFromDecimal(text) ?? rates.ONE;
    const exact = rates.convert(from, at, to);
    expect(exact.num / exact.den).toBe(wholeMinor);
  });

  it('loses nothing', () => {
    expect(rates.convert(amount(1n, 'USD'), rates.rate(1n, 3n), 'EUR')).toEqual({ num: 100n, den: 300n });
  });
});

describe('a rate that is shown', () => {
  it.each([
    ['1', 1],
    ['1525.40', 1525.4],
    ['0.000015', 0.000015],
    ['1e29', 1e29],
    ['1234567890.12345678', 1234567890.12346],
    ['999999999999999.6', 1e15],
    ['0.9999999999999996', 1],
  ])('%s is the number %d', (text, shown) => {
    expect(rates.rateToJsonNumber(rates.rateFromDecimal(text) ?? rates.rate(7n, 1n))).toBe(shown);
  });

  it('has 15 significant digits, rounded to the nearest', () => {
    expect(rates.rateToJsonNumber(rates.rate(1n, 3n))).toBe(0.333333333333333);
    expect(rates.rateToJsonNumber(rates.rate(2n, 3n))).toBe(0.666666666666667);
    expect(rates.rateToJsonNumber(rates.rate(200n, 3n))).toBe(66.6666666666667);
  });

  it('is within half a unit of the 15th digit of the exact rate', () => {
    fc.assert(
      fc.property(anyRate, (value) => {
        const text = rates.rateToJsonNumber(value).toString();
        const shown = rates.rateFromDecimal(text);
        fc.pre(shown !== undefined);
        const difference = shown.num * value.den - value.num * shown.den;
        const magnitude = difference < 0n ? -difference : difference;
        // |shown - exact| / exact is at most 5 * 10^-15.
        expect(magnitude * 10n ** 15n <= 5n * value.num * shown.den).toBe(true);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
