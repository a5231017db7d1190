import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { amount, checkedSum, MAX_MINOR } from './amount.ts';

const usd = (minor: bigint) => amount(minor, 'USD');

describe('the sum of amounts', () => {
  it('is zero of the currency when there are none', () => {
    expect(checkedSum('USD', [])).toEqual({ ok: true, value: usd(0n) });
    expect(checkedSum('USD', [usd(1n), usd(2n), usd(-4n)])).toEqual({ ok: true, value: usd(-1n) });
  });

  it('cannot be had of two currencies', () => {
    expect(() => checkedSum('USD', [usd(1n), amount(1n, 'EUR')])).toThrow(BrokenInvariant);
  });
});

describe('the bound on amounts', () => {
  it('is the last integer of 15 digits, on both sides of zero', () => {
    expect(MAX_MINOR).toBe(999_999_999_999_999n);
    expect(usd(MAX_MINOR).minor).toBe(MAX_MINOR);
    expect(usd(-MAX_MINOR).minor).toBe(-MAX_MINOR);
    expect(() => usd(MAX_MINOR + 1n)).toThrow(BrokenInvariant);
    expect(() => usd(-MAX_MINOR - 1n)).toThrow(BrokenInvariant);
  });

  it('refuses a sum that a caller made too large, and takes the largest one', () => {
    expect(checkedSum('USD', [usd(MAX_MINOR - 1n), usd(1n)])).toEqual({ ok: true, value: usd(MAX_MINOR) });
    expect(checkedSum('USD', [usd(MAX_MINOR), usd(1n)])).toEqual({
      ok: false,
      refusals: [{ code: 'too_large', path: [] }],
    });
  });
});
