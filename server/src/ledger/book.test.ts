import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { Book } from './book.ts';
import { type EntryName, mayGoBelowZero } from './chart.ts';
import { makeEntry } from './entry.ts';

const ids = timeOrderedIds();
const postedAt = new Date('2026-11-15T12:00:00Z');

/** Three ledger accounts of one tenant in US dollars. */
function bookWith(opening: { balance: bigint; negativeBalance?: boolean }): Book {
  return new Book(
    (['balance', 'held', 'treasury'] as const).map((ledgerAccount) => ({
      accountId: 'acme',
      currency: 'USD',
      ledgerAccount,
      amount: ledgerAccount === 'balance' ? opening.balance : 0n,
      mayGoBelowZero: mayGoBelowZero(ledgerAccount, opening.negativeBalance ?? false),
    })),
  );
}

const entry = (name: EntryName, minor: bigint, currency = 'USD') =>
  makeEntry(ids, name, { accountId: 'acme', postedAt, amounts: [{ currency, minor }] });

const balance = { accountId: 'acme', currency: 'USD', ledgerAccount: 'balance' } as const;

describe('a book', () => {
  it('shows a later command what an earlier one moved', () => {
    const book = bookWith({ balance: 100n });
    expect(book.canGive(balance, 60n)).toBe(true);
    book.post(entry('fund', 60n));
    expect(book.amount('acme', 'USD', 'balance')).toBe(40n);
    expect(book.amount('acme', 'USD', 'held')).toBe(60n);
    expect(book.canGive(balance, 60n)).toBe(false);
    expect(book.canGive(balance, 40n)).toBe(true);
  });

  it('gives all it has and not one minor unit more', () => {
    const book = bookWith({ balance: 100n });
    expect([book.canGive(balance, 100n), book.canGive(balance, 101n)]).toEqual([true, false]);
  });

  it('gives the changes of the balances, one for each that is different at the end', () => {
    const book = bookWith({ balance: 100n });
    book.post(entry('fund', 60n));
    book.post(entry('refund', 60n));
    book.post(entry('top_up', 5n));
    expect(book.transfers()).toHaveLength(3);
    expect(book.changes().map(({ ledgerAccount, change }) => [ledgerAccount, change])).toEqual([
      ['balance', 5n],
      ['treasury', -5n],
    ]);
  });

  it('stops an entry that would overdraw', () => {
    const book = bookWith({ balance: 100n });
    expect(() => book.post(entry('fund', 101n))).toThrow(new BrokenInvariant('fund: balance would be overdrawn'));
  });

  it('lets an account go below zero where that was agreed', () => {
    const book = bookWith({ balance: 100n, negativeBalance: true });
    expect(book.canGive(balance, 101n)).toBe(true);
    book.post(entry('fund', 101n));
    expect(book.amount('acme', 'USD', 'balance')).toBe(-1n);
  });

  it('moves money through balances that it has not read, and decides on none of them', () => {
    const book = bookWith({ balance: 100n });
    book.post(entry('fund', 1n, 'EUR'));
    expect(book.unread().map(({ currency, ledgerAccount }) => `${currency} ${ledgerAccount}`)).toEqual([
      'EUR balance',
      'EUR held',
    ]);
    expect(book.changes().map(({ ledgerAccount, change }) => [ledgerAccount, change])).toEqual([
      ['balance', -1n],
      ['held', 1n],
    ]);
    const unread = new BrokenInvariant('a balance that is decided on was locked');
    expect(() => book.canGive({ ...balance, currency: 'EUR' }, 1n)).toThrow(unread);
    expect(() => book.amount('bolt', 'USD', 'balance')).toThrow(unread);
  });
});
