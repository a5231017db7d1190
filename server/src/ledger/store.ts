/** The ledger's SQL. Every statement names the accounts, so that it runs on one node of a distributed PostgreSQL. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import { ALWAYS_BELOW_ZERO, type LedgerAccount } from './chart.ts';
import type { Transfer } from './entry.ts';

export interface BalanceKey {
  readonly accountId: string;
  readonly currency: string;
  readonly ledgerAccount: LedgerAccount;
}

export interface BalanceRow extends BalanceKey {
  readonly amount: bigint;
  readonly mayGoBelowZero: boolean;
}

interface StoredBalance {
  account_id: string;
  currency: string;
  ledger_account: string;
  amount: bigint;
  may_go_below_zero: boolean;
}

/**
 * Locks the rows in one fixed order and reads them. Rows that do not exist are simply not there. What tenants own comes
 * first: decisions depend on it, so it is locked early, while the other rows are only added to and are locked late.
 */
export async function lockBalances(tx: Tx, keys: readonly BalanceKey[]): Promise<BalanceRow[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredBalance>(LOCK, keyColumns(keys));
  return rows.map(balanceOf);
}

const READ = `select b.account_id, b.currency, b.ledger_account, b.amount, b.may_go_below_zero
     from ledger_balances b
     join unnest($2::uuid[], $3::text[], $4::text[]) as u (account_id, currency, ledger_account)
       on b.account_id = u.account_id and b.currency = u.currency and b.ledger_account = u.ledger_account
     where ${onNodeOf('b')}`;

const LOCK = `${READ}
     order by b.ledger_account <> 'balance', b.account_id, b.currency, b.ledger_account
     for update of b`;

/** The same without a lock. */
export async function readSomeBalances(tx: Tx, keys: readonly BalanceKey[]): Promise<BalanceRow[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredBalance>(READ, keyColumns(keys));
  return rows.map(balanceOf);
}

/** The same for rows that are only added to: nobody looks at what they hold. */
export async function lockUnseen(tx: Tx, keys: readonly BalanceKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.execute(`select count(*) from (${LOCK}) as locked`, keyColumns(keys));
}

const INSERT_ZERO = `insert into ledger_balances (account_id, currency, ledger_account, amount, may_go_below_zero)
     select a.account_id, u.currency, u.ledger_account, 0,
       u.ledger_account = any($5::text[]) or (u.ledger_account = 'balance' and a.negative_balance)
     from accounts a
     join unnest($2::uuid[], $3::text[], $4::text[]) as u (account_id, currency, ledger_account)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}
       and not exists (
         select 1
         from ledger_balances b
         where ${onNodeOf('b')} and b.account_id = u.account_id and b.currency = u.currency
           and b.ledger_account = u.ledger_account
       )
     order by u.ledger_account <> 'balance', a.account_id, u.currency, u.ledger_account
     for share of a
     on conflict do nothing
     returning account_id, currency, ledger_account, amount, may_go_below_zero`;

/**
 * Adds rows of zero for those that are missing, so that there is something to lock, and gives those that it added. The
 * terms of the account stay as they are meanwhile.
 */
export async function insertZeroBalances(tx: Tx, keys: readonly BalanceKey[]): Promise<BalanceKey[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredBalance>(INSERT_ZERO, [...keyColumns(keys), ALWAYS_BELOW_ZERO]);
  return rows.map(balanceOf);
}

/** Takes back rows that this very transaction added and then did not need. */
export async function deleteZeroBalances(tx: Tx, keys: readonly BalanceKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.execute(
    `delete from ledger_balances b
     using unnest($2::uuid[], $3::text[], $4::text[]) as u (account_id, currency, ledger_account)
     where ${onNodeOf('b')} and b.amount = 0
       and b.account_id = u.account_id and b.currency = u.currency and b.ledger_account = u.ledger_account`,
    keyColumns(keys),
  );
}

const TRANSFERS = rowsOf<Transfer>('ledger_transfers', {
  account_id: ['uuid', (t) => t.accountId],
  transfer_id: ['uuid', (t) => t.transferId],
  entry_id: ['uuid', (t) => t.entryId],
  entry: ['text', (t) => t.entry],
  currency: ['text', (t) => t.currency],
  from_account: ['text', (t) => t.from],
  to_account: ['text', (t) => t.to],
  amount: ['bigint', (t) => t.amount],
  transaction_id: ['uuid', (t) => t.transactionId],
  recipient_id: ['uuid', (t) => t.recipientId],
  posted_at: ['timestamptz', (t) => t.postedAt],
});

export function insertTransfers(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  return addRows(tx, TRANSFERS, transfers);
}

export interface BalanceChange extends BalanceKey {
  readonly change: bigint;
}

const CHANGE = `update ledger_balances b
     set amount = b.amount + u.change
     from unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[]) as u (account_id, currency, ledger_account, change)
     where ${onNodeOf('b')}
       and b.account_id = u.account_id and b.currency = u.currency and b.ledger_account = u.ledger_account`;

export async function changeBalances(tx: Tx, changes: readonly BalanceChange[]): Promise<void> {
  if (changes.length === 0) return;
  const updated = await tx.execute(CHANGE, [...keyColumns(changes), changes.map((c) => c.change)]);
  assert(updated === changes.length, 'every changed balance has a row');
}

/** The same, but for rows that have too little. Gives how many had enough. */
export async function changeWhereEnough(tx: Tx, changes: readonly BalanceChange[]): Promise<number> {
  if (changes.length === 0) return 0;
  return tx.execute(`${CHANGE} and (b.amount + u.change >= 0 or b.may_go_below_zero)`, [
    ...keyColumns(changes),
    changes.map((c) => c.change),
  ]);
}

function keyColumns(keys: readonly BalanceKey[]) {
  return [
    accountIdsOf(keys),
    keys.map((key) => key.accountId),
    keys.map((key) => key.currency),
    keys.map((key) => key.ledgerAccount),
  ];
}

function balanceOf(row: StoredBalance): BalanceRow {
  return {
    accountId: row.account_id,
    currency: row.currency,
    // The check constraint of the table holds the same names as the chart; a test compares them.
    ledgerAccount: row.ledger_account as LedgerAccount,
    amount: row.amount,
    mayGoBelowZero: row.may_go_below_zero,
  };
}
