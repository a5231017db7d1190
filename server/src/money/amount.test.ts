import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import {
  add,
  amount,
  checkedSum,
  compare,
  equalAmounts,
  isPositive,
  MAX_MINOR,
  subtract,
  sum,
  zero,
} from './amount.ts';

const usd = (minor: bigint) => amount(minor, 'USD');
const eur = (minor: bigint) => amount(minor, 'EUR');

describe('amounts of one currency', () => {
  it('add up and subtract, below zero too', () => {
    expect(add(usd(150n), usd(25n))).toEqual(usd(175n));
    expect(subtract(usd(25n), usd(150n))).toEqual(usd(-125n));
  });

  it('sum to zero of the currency when there are none', () => {
    expect(sum('USD', [])).toEqual(zero('USD'));
    expect(sum('USD', [usd(1n), usd(2n), usd(-4n)])).toEqual(usd(-1n));
  });

  it('are positive only above zero', () => {
    expect([usd(1n), zero('USD'), usd(-1n)].map(isPositive)).toEqual([true, false, false]);
  });

  it('are put in order', () => {
    expect([usd(3n), usd(-1n), usd(2n)].sort(compare)).toEqual([usd(-1n), usd(2n), usd(3n)]);
    expect(compare(usd(2n), usd(2n))).toBe(0);
  });
});

describe('amounts of two currencies', () => {
  it('are never equal', () => {
    expect(equalAmounts(usd(100n), usd(100n))).toBe(true);
    expect(equalAmounts(usd(100n), usd(101n))).toBe(false);
    expect(equalAmounts(usd(100n), eur(100n))).toBe(false);
  });

  it.each([
    ['added', () => add(usd(1n), eur(1n))],
    ['subtracted', () => subtract(usd(1n), eur(1n))],
    ['compared', () => compare(usd(1n), eur(1n))],
    ['summed', () => sum('USD', [usd(1n), eur(1n)])],
    ['summed for a caller', () => checkedSum('USD', [eur(1n)])],
  ])('cannot be %s', (_what, attempt) => {
    expect(attempt).toThrow(BrokenInvariant);
  });
});

describe('the bound on amounts', () => {
  it('is the last integer of 15 digits, on both sides of zero', () => {
    expect(MAX_MINOR).toBe(999_999_999_999_999n);
    expect(usd(MAX_MINOR).minor).toBe(MAX_MINOR);
    expect(usd(-MAX_MINOR).minor).toBe(-MAX_MINOR);
    expect(() => usd(MAX_MINOR + 1n)).toThrow(BrokenInvariant);
    expect(() => usd(-MAX_MINOR - 1n)).toThrow(BrokenInvariant);
    expect(() => add(usd(MAX_MINOR), usd(1n))).toThrow(BrokenInvariant);
  });

  it('refuses a sum that a caller made too large, and takes the largest one', () => {
    expect(checkedSum('USD', [usd(MAX_MINOR - 1n), usd(1n)])).toEqual({ ok: true, value: usd(MAX_MINOR) });
    expect(checkedSum('USD', [usd(MAX_MINOR), usd(1n)])).toEqual({
      ok: false,
      refusals: [{ code: 'too_large', path: [] }],
    });
  });
});
