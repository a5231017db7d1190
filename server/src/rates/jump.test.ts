import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJump } from './jump.ts';
import { rate } from './rate.ts';
import { FILE_ORIGIN, SAMPLE_ORIGIN, type StoredRate } from './stored-rate.ts';

const stored = (num: bigint, den = 1n, origin = FILE_ORIGIN): StoredRate => ({
  currency: 'NGN',
  rate: rate(num, den),
  asOf: new Date('2026-11-16T08:00:00Z'),
  origin,
});

describe('a jump of a rate', () => {
  it.each([
    ['1500 to 1800', 1_800n, false],
    ['1500 to 1801', 1_801n, true],
    ['1500 to 1250', 1_250n, false],
    ['1500 to 1249', 1_249n, true],
    ['1500 to 15000, a lost decimal point', 15_000n, true],
    ['1500 to 1500', 1_500n, false],
  ])('with twenty percent allowed, %s', (_, value, expected) => {
    expect(isJump(stored(1_500n), rate(value, 1n), 20)).toBe(expected);
  });

  it('is none without a rate before, from made-up prices, or where every change is taken', () => {
    expect(isJump(undefined, rate(9n, 1n), 20)).toBe(false);
    expect(isJump(stored(1n, 1n, SAMPLE_ORIGIN), rate(9n, 1n), 20)).toBe(false);
    expect(isJump(stored(1n), rate(9n, 1n), 0)).toBe(false);
  });

  it('is as far there as back', () => {
    const part = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(part, part, part, part, fc.integer({ min: 1, max: 1_000 }), (a, b, c, d, percent) => {
        const there = isJump(stored(a, b), rate(c, d), percent);
        expect(isJump(stored(c, d), rate(a, b), percent)).toBe(there);
      }),
    );
  });
});
