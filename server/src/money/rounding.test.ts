import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { cut, nearest, roundByRule, roundToDecimals, roundUp, unitMinor, upToMultiple } from './rounding.ts';

const PROPERTY_RUNS = 1_000;

describe('rounding', () => {
  it.each([
    // value, up, cut, nearest
    [{ num: 0n, den: 7n }, 0n, 0n, 0n],
    [{ num: 14n, den: 7n }, 2n, 2n, 2n],
    [{ num: 1n, den: 3n }, 1n, 0n, 0n],
    [{ num: 1n, den: 2n }, 1n, 0n, 1n],
    [{ num: 3n, den: 2n }, 2n, 1n, 2n],
    [{ num: 1_999_999n, den: 1_000_000n }, 2n, 1n, 2n],
  ])('of %o is exact by each name', (value, up, down, near) => {
    expect([roundUp(value), cut(value), nearest(value)]).toEqual([up, down, near]);
    expect([roundByRule('up', value), roundByRule('cut', value)]).toEqual([up, down]);
  });

  it.each([
    ['6457.08 NGN goes up to 6458', 645_708n, 'NGN', 'up', 645_800n],
    ['6457 NGN stays', 645_700n, 'NGN', 'up', 645_700n],
    ['6457.99 NGN is cut to 6457 when told so', 645_799n, 'NGN', 'cut', 645_700n],
    ['2001.75 USD stays', 200_175n, 'USD', 'cut', 200_175n],
    ['7 UGX stays', 7n, 'UGX', 'up', 7n],
  ] as const)('to the decimal places of the currency: %s', (_what, minor, currency, rule, expected) => {
    expect(roundToDecimals(rule, { num: minor, den: 1n }, currency)).toBe(expected);
  });

  it('to decimal places looks at fractions of a minor unit too', () => {
    expect(roundToDecimals('up', { num: 645_700_001n, den: 1_000n }, 'NGN')).toBe(645_800n);
    expect(roundToDecimals('cut', { num: 200_175_570n, den: 1_000n }, 'USD')).toBe(200_175n);
  });

  it.each([
    [102n, 105n],
    [105n, 105n],
    [106n, 110n],
    [1n, 5n],
    [0n, 0n],
  ])('takes %i to the next multiple of five, %i', (minor, expected) => {
    expect(upToMultiple(minor, 5n)).toBe(expected);
  });

  it('of values below zero, by a denominator or a step of zero, is a mistake of the program', () => {
    for (const round of [roundUp, cut, nearest]) {
      expect(() => round({ num: -1n, den: 2n })).toThrow(BrokenInvariant);
      expect(() => round({ num: 1n, den: 0n })).toThrow(BrokenInvariant);
    }
    expect(() => upToMultiple(1n, 0n)).toThrow(BrokenInvariant);
    expect(() => upToMultiple(-1n, 5n)).toThrow(BrokenInvariant);
  });

  it('is never a whole unit away from the exact value', () => {
    const fraction = fc.record({ num: fc.bigInt(0n, 10n ** 40n), den: fc.bigInt(1n, 10n ** 20n) });
    fc.assert(
      fc.property(fraction, fc.constantFrom('NGN' as const, 'USD' as const, 'XOF' as const), (value, currency) => {
        const unit = unitMinor(currency);
        const up = roundToDecimals('up', value, currency);
        const down = roundToDecimals('cut', value, currency);
        expect([up % unit, down % unit]).toEqual([0n, 0n]);
        expect(up * value.den >= value.num && (up - unit) * value.den < value.num).toBe(true);
        expect(down * value.den <= value.num && (down + unit) * value.den > value.num).toBe(true);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
