import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { MAX_MINOR } from '../money/amount.ts';
import { BalancesMoved, Book } from './book.ts';
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

  describe('that was only read', () => {
    const row = (ledgerAccount: 'balance' | 'held', amount: bigint, mayGoBelow = false) => ({
      ...{ accountId: 'acme', currency: 'USD', ledgerAccount, amount },
      mayGoBelowZero: mayGoBelow,
    });
    const readBefore = (amount: bigint, mayGoBelow = false) =>
      new Book([row('balance', amount, mayGoBelow)], { isLocked: false });

    it('goes on from what there is when it is locked', () => {
      const book = readBefore(100n);
      book.post(entry('fund', 60n));
      book.rebase([row('balance', 70n), row('held', 5n)]);
      expect(book.isLocked).toBe(true);
      expect([book.amount('acme', 'USD', 'balance'), book.amount('acme', 'USD', 'held')]).toEqual([10n, 65n]);
      expect(book.unread()).toEqual([]);
      expect(book.changes().map(({ ledgerAccount, change }) => [ledgerAccount, change])).toEqual([
        ['balance', -60n],
        ['held', 60n],
      ]);
    });

    it.each([
      ['all that is left is taken', row('balance', 60n), true],
      ['one minor unit is missing', row('balance', 59n), false],
      ['it may go below zero', row('balance', 0n, true), true],
      ['it would be owed more than can be shown', row('balance', -MAX_MINOR, true), false],
    ])('holds as long as there is enough: %s', (_, now, holds) => {
      const book = readBefore(100n, true);
      book.post(entry('fund', 60n));
      const rebase = () => book.rebase([now, row('held', 0n)]);
      if (holds) expect(rebase).not.toThrow();
      else expect(rebase).toThrow(BalancesMoved);
    });

    it('has to be decided anew where a balance that money goes through is not there yet', () => {
      const book = readBefore(100n);
      book.post(entry('fund', 60n));
      expect(() => book.rebase([row('balance', 100n)])).toThrow(BalancesMoved);
    });

    it('comes to the same as one that was locked at once, whatever others took meanwhile', () => {
      const amounts = fc.array(fc.bigInt(1n, 50n), { maxLength: 6 });
      fc.assert(
        fc.property(fc.bigInt(0n, 200n), fc.bigInt(0n, 100n), amounts, (opening, taken, wanted) => {
          const now = opening - taken;
          fc.pre(now >= 0n);
          const decide = (book: Book) => wanted.filter((minor) => pay(book, minor));
          const [bold, careful] = [readBefore(opening), new Book([row('balance', now)])];
          const [decided, expected] = [decide(bold), decide(careful)];
          try {
            bold.rebase([row('balance', now), row('held', 0n)]);
          } catch (fault) {
            // What was taken is why it does not hold.
            expect(fault).toBeInstanceOf(BalancesMoved);
            expect(decided).not.toEqual(expected);
            return;
          }
          if (decided.length === 0) return;
          // Whatever it pays is paid for; a payment may have been refused by what was there before.
          expect(bold.amount('acme', 'USD', 'balance')).toBe(now - decided.reduce((sum, minor) => sum + minor, 0n));
          expect(bold.amount('acme', 'USD', 'balance')).toBeGreaterThanOrEqual(0n);
        }),
      );
    });

    function pay(book: Book, minor: bigint): boolean {
      if (!book.canGive(balance, minor)) return false;
      book.post(entry('fund', minor));
      return true;
    }
  });
});
