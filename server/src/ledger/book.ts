/**
 * A working copy of balances. While a batch is decided, each command sees what the earlier ones moved; the transfers
 * are written together at the end. The database repeats the overdraft check by its own constraint.
 *
 * Every payout of a tenant goes through the same few rows, and whoever holds them holds up all the others. So only
 * balances that a decision depends on are locked for it (openBook); all others that money moves through are locked by
 * writing, shortly before the commit. A batch that has much to write does not even lock the former: it decides by what
 * it reads (readBook), and writing locks everything. Should others have taken so much meanwhile that the decision no
 * longer holds, nothing is kept, and it is decided anew under locks.
 */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { distinctBy } from '../kernel/distinct.ts';
import { MAX_MINOR } from '../money/amount.ts';
import type { LedgerAccount } from './chart.ts';
import type { Transfer } from './entry.ts';
import {
  type BalanceChange,
  type BalanceKey,
  type BalanceRow,
  changeBalances,
  changeWhereEnough,
  deleteZeroBalances,
  insertTransfers,
  insertZeroBalances,
  lockBalances,
  lockUnseen,
  readSomeBalances,
} from './store.ts';

interface OpenBalance extends BalanceRow {
  now: bigint;
}

/** What was decided no longer holds: others have taken from a balance since it was read. */
export class BalancesMoved extends Error {
  override readonly name = 'BalancesMoved';
}

export class Book {
  readonly #balances: Map<string, OpenBalance>;
  readonly #unread = new Map<string, BalanceChange>();
  readonly #transfers: Transfer[] = [];
  readonly #added: readonly BalanceKey[];
  #isLocked: boolean;

  /** `added`: which of the rows were only made to be locked. */
  constructor(
    rows: readonly BalanceRow[],
    { added = [], isLocked = true }: { added?: readonly BalanceKey[]; isLocked?: boolean } = {},
  ) {
    this.#added = added;
    this.#isLocked = isLocked;
    this.#balances = new Map(rows.map((row) => [keyOf(row), { now: row.amount, ...row }]));
  }

  get isLocked(): boolean {
    return this.#isLocked;
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

  /**
   * Takes over what all that money moved through holds now that it is locked. The decisions only took from what they
   * had read: they hold as long as there is enough.
   */
  rebase(locked: readonly BalanceRow[]): void {
    const rows = new Map(locked.map((row) => [keyOf(row), row]));
    for (const { change, ...key } of this.changes()) {
      const name = keyOf(key);
      const row = rows.get(name);
      if (row === undefined) throw new BalancesMoved(`${key.ledgerAccount} has no row yet`);
      const now = row.amount + change;
      const holds = now >= 0n || (row.mayGoBelowZero && now >= -MAX_MINOR);
      if (!holds) throw new BalancesMoved(`${key.ledgerAccount} has less by now`);
      this.#balances.set(name, { now, ...row });
      this.#unread.delete(name);
    }
    this.#isLocked = true;
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
  const wanted = distinctBy(keys, keyOf);
  // Adding comes first, and locks accounts: a change of terms locks those before their balances too.
  const [added, rows] = await Promise.all([insertZeroBalances(tx, wanted), lockBalances(tx, wanted)]);
  return new Book(rows, { added });
}

/** Opens the working copy without locking anything, where all rows are there. Nothing may be given to a balance. */
export async function readBook(tx: Tx, keys: readonly BalanceKey[]): Promise<Book> {
  const wanted = distinctBy(keys, keyOf);
  const rows = await readSomeBalances(tx, wanted);
  return rows.length === wanted.length ? new Book(rows, { isLocked: false }) : openBook(tx, wanted);
}

/**
 * Writes what was posted: the transfers, and the balances they changed. To be called even when nothing was, and behind
 * all statements of the batch but those that show what is left in a balance.
 */
export async function writeBook(tx: Tx, book: Book): Promise<void> {
  await Promise.all([
    insertTransfers(tx, book.transfers()),
    book.isLocked ? changeLocked(tx, book) : lockAndChange(tx, book),
  ]);
}

/** Where decisions depended on rows that are locked. All others are locked here. */
async function changeLocked(tx: Tx, book: Book): Promise<void> {
  await Promise.all([
    // Mostly they are there. Whoever locked some of them and added the rest afterwards would break the order of locks.
    insertZeroBalances(tx, book.unread()),
    lockUnseen(tx, book.unread()),
    changeBalances(tx, book.changes()),
    deleteZeroBalances(tx, book.unused()),
  ]);
}

/**
 * Where they depended on rows that were only read: everything is locked and changed in the same breath, and whether
 * there was enough is heard together with it, before the commit.
 */
async function lockAndChange(tx: Tx, book: Book): Promise<void> {
  const changes = book.changes();
  const [locked, changed] = await Promise.all([lockBalances(tx, changes), changeWhereEnough(tx, changes)]);
  book.rebase(locked);
  assert(changed === changes.length, 'every balance that had enough was changed');
}

function keyOf(key: BalanceKey): string {
  return `${key.accountId} ${key.currency} ${key.ledgerAccount}`;
}
