import { describe, expect, it } from 'vitest';
import { rate } from './rate.ts';
import { mid, midAsOf, RateDataInvalid, type RateSheet, readRates } from './sheet.ts';

const earlier = new Date('2026-11-14T00:00:00Z');
const later = new Date('2026-11-15T00:00:00Z');
const sheet: RateSheet = {
  base: 'USD',
  asOf: later,
  sample: true,
  rates: new Map([
    ['NGN', { rate: rate(1_500n, 1n), asOf: earlier }],
    ['EUR', { rate: rate(9n, 10n), asOf: later }],
  ]),
};

describe('the mid rate', () => {
  it.each([
    ['USD', 'NGN', rate(1_500n, 1n)],
    ['NGN', 'USD', rate(1n, 1_500n)],
    ['EUR', 'NGN', rate(5_000n, 3n)],
    ['NGN', 'EUR', rate(3n, 5_000n)],
    ['NGN', 'NGN', rate(1n, 1n)],
    ['USD', 'USD', rate(1n, 1n)],
  ] as const)('from %s to %s is exact', (from, to, expected) => {
    expect(mid(sheet, from, to)).toEqual(expected);
  });

  it('does not exist when the sheet lacks one of the currencies', () => {
    expect(mid(sheet, 'USD', 'GHS')).toBeUndefined();
    expect(mid(sheet, 'GHS', 'USD')).toBeUndefined();
    expect(mid(sheet, 'GHS', 'KES')).toBeUndefined();
  });

  it('of a currency to itself needs no rate', () => {
    expect(mid(sheet, 'GHS', 'GHS')).toEqual(rate(1n, 1n));
    expect(midAsOf(sheet, 'GHS', 'GHS')).toBeUndefined();
  });

  it('is as old as the older of its two halves', () => {
    expect(midAsOf(sheet, 'EUR', 'NGN')).toEqual(earlier);
    expect(midAsOf(sheet, 'NGN', 'USD')).toEqual(earlier);
    expect(midAsOf(sheet, 'USD', 'EUR')).toEqual(later);
    expect(midAsOf(sheet, 'USD', 'GHS')).toBeUndefined();
  });
});

describe('rates that somebody wrote down', () => {
  it('are read exactly, and the base is left out', () => {
    const { rates, mistakes } = readRates('USD', { USD: '1.00', NGN: '1525.40' });
    expect(mistakes).toEqual([]);
    expect([...rates]).toEqual([['NGN', rate(15_254n, 10n)]]);
  });

  it('have all their mistakes told, each with its currency', () => {
    const written = { USD: '2', NGN: '-1', EUR: 0.9, ABC: '1', KES: 'many', GHS: '12.5' };
    expect(readRates('USD', written).mistakes).toEqual([
      'USD: the rate of the base itself is 1',
      'NGN: "-1" is not a decimal number above zero of up to 30 digits',
      'EUR: the rate is not a string; write it in quotes',
      'ABC is not a currency of the service',
      'KES: "many" is not a decimal number above zero of up to 30 digits',
    ]);
  });

  it('are told in one message', () => {
    expect(new RateDataInvalid('rates.json', ['one', 'two']).message).toBe('rates.json: one; two');
  });
});
