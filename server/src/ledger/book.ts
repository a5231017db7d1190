/**
 * A working copy of locked balances. While a batch is decided, each command sees what the earlier ones moved; the
 * transfers are written together at the end. The database repeats the overdraft check by its own constraint.
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
} from './store.ts';

interface OpenBalance extends BalanceRow {
  now: bigint;
}

export class Book {
  readonly #balances: Map<string, OpenBalance>;
  readonly #transfers: Transfer[] = [];
  readonly #added: readonly BalanceKey[];

  /** `added`: which of the rows were only made to be locked. */
  constructor(rows: readonly BalanceRow[], added: readonly BalanceKey[] = []) {
    this.#added = added;
    this.#balances = new Map(rows.map((row) => [keyOf(row), { ...row, now: row.amount }]));
  }

  amount(accountId: string, currency: string, ledgerAccount: LedgerAccount): bigint {
    return this.#open(accountId, currency, ledgerAccount).now;
  }

  /** Whether the ledger account can give that much. */
  canGive(key: BalanceKey, amount: bigint): boolean {
    const open = this.#open(key.accountId, key.currency, key.ledgerAccount);
    return open.mayGoBelowZero || open.now >= amount;
  }

  /** Moves the money in the working copy and keeps the transfers for writing. */
  post(transfers: readonly Transfer[]): void {
    for (const transfer of transfers) {
      const { accountId, currency } = transfer;
      const from = this.#open(accountId, currency, transfer.from);
      const to = this.#open(accountId, currency, transfer.to);
      from.now -= transfer.amount;
      to.now += transfer.amount;
      assert(from.now >= 0n || from.mayGoBelowZero, `${transfer.entry}: ${transfer.from} would be overdrawn`);
      this.#transfers.push(transfer);
    }
  }

  transfers(): readonly Transfer[] {
    return this.#transfers;
  }

  changes(): BalanceChange[] {
    return [...this.#balances.values()]
      .filter((open) => open.now !== open.amount)
      .map((open) => ({ ...open, change: open.now - open.amount }));
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

  #open(accountId: string, currency: string, ledgerAccount: LedgerAccount): OpenBalance {
    const open = this.#balances.get(`${accountId} ${currency} ${ledgerAccount}`);
    // Not by `present`: its message would be made for every look-up.
    assert(open !== undefined, 'a balance that is moved was locked');
    return open;
  }
}

/** Locks the balance rows that a batch will touch, adding those that are missing, and opens the working copy. */
export async function openBook(tx: Tx, keys: readonly BalanceKey[]): Promise<Book> {
  const wanted = [...new Map(keys.map((key) => [keyOf(key), key])).values()];
  if (wanted.length === 0) return new Book([]);
  const rows = await lockBalances(tx, wanted);
  if (rows.length === wanted.length) return new Book(rows);
  const found = new Set(rows.map(keyOf));
  const missing = wanted.filter((key) => !found.has(keyOf(key)));
  const added = await insertZeroBalances(tx, missing);
  return new Book(await lockBalances(tx, wanted), added);
}

/** Writes what was posted: the transfers, and the balances they changed. To be called even when nothing was. */
export async function writeBook(tx: Tx, book: Book): Promise<void> {
  await Promise.all([
    insertTransfers(tx, book.transfers()),
    changeBalances(tx, book.changes()),
    deleteZeroBalances(tx, book.unused()),
  ]);
}

function keyOf(key: BalanceKey): string {
  return `${key.accountId} ${key.currency} ${key.ledgerAccount}`;
}
