/**
 * A working copy of locked balances. While a batch is decided, each command sees what the earlier ones moved; the
 * transfers are written together at the end. The database repeats the overdraft check by its own constraint.
 *
 * Only balances that a decision depends on are locked for it. All others that money moves through are locked by writing,
 * shortly before the commit: every payout of a tenant goes through the same few rows, and whoever holds them holds up
 * all the others.
 */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { LedgerAccount } from './chart.ts';
import type { Transfer } from './entry.ts';
import {
  type BalanceChange,
  type BalanceKey,
  type BalanceRow,
  changeBalances,
  deleteZeroBalances,
  insertTransfers,
  insertZeroBalances,
  lockBalances,
  lockUnseen,
} from './store.ts';

interface OpenBalance extends BalanceRow {
  now: bigint;
}

export class Book {
  readonly #balances: Map<string, OpenBalance>;
  readonly #unread = new Map<string, BalanceChange>();
  readonly #transfers: Transfer[] = [];
  readonly #added: readonly BalanceKey[];

  /** `added`: which of the rows were only made to be locked. */
  constructor(rows: readonly BalanceRow[], added: readonly BalanceKey[] = []) {
    this.#added = added;
    this.#balances = new Map(rows.map((row) => [keyOf(row), { now: row.amount, ...row }]));
  }

  amount(accountId: string, currency: string, ledgerAccount: LedgerAccount): bigint {
    return this.#open({ accountId, currency, ledgerAccount }).now;
  }

  /** Whether the ledger account can give that much. */
  canGive(key: BalanceKey, amount: bigint): boolean {
    const open = this.#open(key);
    return open.mayGoBelowZero || open.now >= amount;
  }

  /** Moves the money in the working copy and keeps the transfers for writing. */
  post(transfers: readonly Transfer[]): void {
    for (const transfer of transfers) {
      const { accountId, currency, entry, from, to, amount } = transfer;
      const left = this.#move({ accountId, currency, ledgerAccount: from }, -amount);
      assert(left === undefined || left.now >= 0n || left.mayGoBelowZero, `${entry}: ${from} would be overdrawn`);
      this.#move({ accountId, currency, ledgerAccount: to }, amount);
      this.#transfers.push(transfer);
    }
  }

  transfers(): readonly Transfer[] {
    return this.#transfers;
  }

  changes(): BalanceChange[] {
    const read = [...this.#balances.values()].map((open) => ({ change: open.now - open.amount, ...open }));
    return [...read, ...this.#unread.values()].filter(({ change }) => change !== 0n);
  }

  /** Rows through which money moved and which nobody has locked yet. */
  unread(): readonly BalanceKey[] {
    return [...this.#unread.values()];
  }

  /** Rows that were made for nothing: a refused command leaves none behind. */
  unused(): BalanceKey[] {
    const moved = new Set(
      this.#transfers.flatMap(({ accountId, currency, from, to }) => [
        keyOf({ accountId, currency, ledgerAccount: from }),
        keyOf({ accountId, currency, ledgerAccount: to }),
      ]),
    );
    return this.#added.filter((key) => !moved.has(keyOf(key)));
  }

  /** Gives the balance as it is then, where it was read. */
  #move(key: BalanceKey, change: bigint): OpenBalance | undefined {
    const name = keyOf(key);
    const open = this.#balances.get(name);
    if (open) open.now += change;
    else this.#unread.set(name, { change: (this.#unread.get(name)?.change ?? 0n) + change, ...key });
    return open;
  }

  #open(key: BalanceKey): OpenBalance {
    const open = this.#balances.get(keyOf(key));
    // Not by `present`: its message would be made for every look-up.
    assert(open !== undefined, 'a balance that is decided on was locked');
    return open;
  }
}

/** Locks the balance rows that decisions depend on, adding those that are missing, and opens the working copy. */
export async function openBook(tx: Tx, keys: readonly BalanceKey[]): Promise<Book> {
  const wanted = [...new Map(keys.map((key) => [keyOf(key), key])).values()];
  const rows = await lockBalances(tx, wanted);
  if (rows.length === wanted.length) return new Book(rows);
  const found = new Set(rows.map(keyOf));
  const added = await insertZeroBalances(
    tx,
    wanted.filter((key) => !found.has(keyOf(key))),
  );
  return new Book(await lockBalances(tx, wanted), added);
}

/**
 * Writes what was posted: the transfers, and the balances they changed. To be called even when nothing was, and behind
 * all other statements of the batch.
 */
export async function writeBook(tx: Tx, book: Book): Promise<void> {
  await Promise.all([
    insertTransfers(tx, book.transfers()),
    // Mostly they are there. Whoever locked some of them and added the rest afterwards would break the order of locks.
    insertZeroBalances(tx, book.unread()),
    lockUnseen(tx, book.unread()),
    changeBalances(tx, book.changes()),
    deleteZeroBalances(tx, book.unused()),
  ]);
}

function keyOf(key: BalanceKey): string {
  return `${key.accountId} ${key.currency} ${key.ledgerAccount}`;
}
