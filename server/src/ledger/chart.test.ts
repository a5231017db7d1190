import { describe, expect, it } from 'vitest';
import { ENTRIES, LEDGER_ACCOUNTS, mayGoBelowZero } from './chart.ts';

const entries = Object.entries(ENTRIES);
const accounts = Object.keys(LEDGER_ACCOUNTS);

describe('the chart of accounts', () => {
  it.each([
    ['balance', false, true],
    ['held', false, false],
    ['exchange', true, true],
    ['payout_settlement', false, false],
    ['payin_settlement', true, true],
    ['treasury', true, true],
    ['suspense', false, false],
  ] as const)('says whether %s may go below zero: %s, with negative_balance %s', (account, usually, negative) => {
    expect(mayGoBelowZero(account, false)).toBe(usually);
    expect(mayGoBelowZero(account, true)).toBe(negative);
  });

  it('has a line in the table above for every ledger account', () => {
    expect(accounts).toHaveLength(7);
  });
});

describe('an entry', () => {
  it.each(entries)('%s moves money between two different ledger accounts', (_, legs) => {
    for (const [from, to] of legs) expect(from).not.toBe(to);
  });

  // What goes into exchange in one currency leaves it in the other, so the position is open on both sides.
  it.each(entries.filter(([, legs]) => legs.length === 2))('%s passes through exchange', (_, legs) => {
    expect(legs[0][1]).toBe('exchange');
    expect(legs[1]?.[0]).toBe('exchange');
  });

  it('has one transfer, or two when it exchanges', () => {
    expect(entries.filter(([, legs]) => legs.length === 2).map(([name]) => name)).toEqual([
      'pay_out',
      'collected_exchanged',
      'collection_returned_exchanged',
    ]);
  });

  it('gives every ledger account a way in and a way out', () => {
    const legs = entries.flatMap(([, list]) => list.map(([from, to]): [string, string] => [from, to]));
    expect(new Set(legs.map(([from]) => from))).toEqual(new Set(accounts));
    expect(new Set(legs.map(([, to]) => to))).toEqual(new Set(accounts));
  });
});
