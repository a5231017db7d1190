/** The debits' SQL. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Book } from '../ledger/book.ts';
import { isCurrency } from '../money/currencies.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { Debit } from './debit.ts';
import type { TransactionKey } from './transaction.ts';

const COLUMNS = `d.account_id, d.debit_id, d.transaction_id, d.amount, d.currency, d.usd_amount, d.running_balance,
  d.metadata, d.created_at`;

interface StoredDebit {
  account_id: string;
  debit_id: string;
  transaction_id: string;
  amount: bigint;
  currency: string;
  usd_amount: bigint | null;
  running_balance: bigint;
  metadata: Record<string, unknown>;
  created_at: Date;
}

const INSERT = `insert into debits (account_id, debit_id, transaction_id, amount, currency, usd_amount, running_balance, metadata,
       created_at)
     select a.account_id, u.debit_id, u.transaction_id, u.amount, u.currency, u.usd_amount,
       b.amount + u.taken_later,
       u.metadata::json, u.created_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::text[],
         $10::timestamptz[])
       as u (account_id, debit_id, transaction_id, amount, currency, usd_amount, taken_later, metadata, created_at)
       on u.account_id = a.account_id
     join ledger_balances b
       on b.account_id = a.account_id and b.currency = u.currency and b.ledger_account = 'balance'
     where ${onNodeOf('a')} and ${onNodeOf('b')}`;

/**
 * To be called behind `writeBook`, with the same book. What was left after a debit is counted back from what the
 * balance holds by then: where it was not locked when it was decided on, others may have taken from it.
 */
export async function insertDebits(tx: Tx, debits: readonly Debit[], book: Pick<Book, 'amount'>): Promise<void> {
  if (debits.length === 0) return;
  const inserted = await tx.execute(INSERT, [
    accountIdsOf(debits),
    debits.map((d) => d.accountId),
    debits.map((d) => d.debitId),
    debits.map((d) => d.transactionId),
    debits.map((d) => d.amount),
    debits.map((d) => d.currency),
    debits.map((d) => d.usdAmount),
    debits.map((d) => d.runningBalance - book.amount(d.accountId, d.currency, 'balance')),
    debits.map((d) => JSON.stringify(d.metadata)),
    debits.map((d) => d.createdAt),
  ]);
  assert(inserted === debits.length, 'every debit was stored');
}

/** The debits of these transactions: how a command that is run again finds out that it was done. */
export async function readDebits(tx: Tx, keys: readonly TransactionKey[]): Promise<Debit[]> {
  const rows = await tx.query<StoredDebit>(
    byKeys({ columns: COLUMNS, from: 'debits d', id: 'transaction_id' }),
    keyLists(keys, (key) => key.transactionId),
  );
  return rows.map(debitOf);
}

function debitOf(row: StoredDebit): Debit {
  assert(isCurrency(row.currency), `stored currency ${row.currency} is known`);
  return {
    accountId: row.account_id,
    debitId: row.debit_id,
    transactionId: row.transaction_id,
    amount: row.amount,
    currency: row.currency,
    usdAmount: row.usd_amount,
    runningBalance: row.running_balance,
    metadata: row.metadata,
    createdAt: row.created_at,
  };
}
