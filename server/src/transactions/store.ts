/** The transactions' SQL: rows in, rows out. Locks are taken for a whole batch, in one order. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { isCurrency } from '../money/currencies.ts';
import type { StateReasonDetails } from '../recipients/recipient.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
import { byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { TransactionState } from './states.ts';
import type { Transaction, TransactionKey } from './transaction.ts';

export const TRANSACTION_COLUMNS = `t.account_id, t.transaction_id, t.external_id, t.sender_id, t.state, t.state_reason,
  t.state_reason_details, t.input_currency, t.input_amount, t.paid_amount, t.is_collection, t.auto_refund,
  t.account_validation, t.metadata, t.event_count, t.created_at, t.expires_at, t.funded_at`;

export interface StoredTransaction {
  account_id: string;
  transaction_id: string;
  external_id: string | null;
  sender_id: string;
  state: string;
  state_reason: string | null;
  state_reason_details: StateReasonDetails | null;
  input_currency: string;
  input_amount: bigint;
  paid_amount: bigint;
  is_collection: boolean;
  auto_refund: boolean;
  account_validation: boolean;
  metadata: Record<string, unknown>;
  event_count: number;
  created_at: Date;
  expires_at: Date;
  funded_at: Date | null;
}

const READ_SENDERS = byKeys({ columns: 't.account_id, t.sender_id', from: 'transactions t', id: 'transaction_id' });

/** Who sends: never changes after creation, so it may be read before the lock that comes first, the sender's. */
export async function readSendersOf(tx: Tx, keys: readonly TransactionKey[]) {
  const rows = await tx.query<{ account_id: string; sender_id: string }>(READ_SENDERS, keyColumns(keys));
  return rows.map((row) => ({ accountId: row.account_id, senderId: row.sender_id }));
}

const LOCK = byKeys({ columns: TRANSACTION_COLUMNS, from: 'transactions t', id: 'transaction_id', lock: 'for update' });

export async function lockTransactions(tx: Tx, keys: readonly TransactionKey[]): Promise<Transaction[]> {
  const rows = await tx.query<StoredTransaction>(LOCK, keyColumns(keys));
  return rows.map(transactionOf);
}

const READ = byKeys({ columns: TRANSACTION_COLUMNS, from: 'transactions t', id: 'transaction_id' });

export async function readTransactions(tx: Tx, keys: readonly TransactionKey[]): Promise<Transaction[]> {
  const rows = await tx.query<StoredTransaction>(READ, keyColumns(keys));
  return rows.map(transactionOf);
}

const TRANSACTIONS = rowsOf<Transaction>('transactions', {
  account_id: ['uuid', (t) => t.accountId],
  transaction_id: ['uuid', (t) => t.transactionId],
  external_id: ['text', (t) => t.externalId],
  sender_id: ['uuid', (t) => t.senderId],
  state: ['text', (t) => t.state],
  input_currency: ['text', (t) => t.inputCurrency],
  input_amount: ['bigint', (t) => t.inputAmount],
  paid_amount: ['bigint', (t) => t.paidAmount],
  is_collection: ['boolean', (t) => t.isCollection],
  auto_refund: ['boolean', (t) => t.autoRefund],
  account_validation: ['boolean', (t) => t.accountValidation],
  metadata: ['json', (t) => JSON.stringify(t.metadata)],
  event_count: ['integer', (t) => t.eventCount],
  created_at: ['timestamptz', (t) => t.createdAt],
  expires_at: ['timestamptz', (t) => t.expiresAt],
  due_at: ['timestamptz', firstDueAt],
  funded_at: ['timestamptz', (t) => t.fundedAt],
});

export function insertTransactions(tx: Tx, transactions: readonly Transaction[]): Promise<void> {
  return addRows(tx, TRANSACTIONS, transactions);
}

/** What is funded is paid, an approved collection prompts its payer, and everything else waits until it expires. */
function firstDueAt({ fundedAt, isCollection, state, createdAt, expiresAt }: Transaction): Date {
  return fundedAt ?? (isCollection && state === 'approved' ? createdAt : expiresAt);
}

interface FundedMove {
  readonly from: readonly TransactionState[];
  readonly to: TransactionState;
  readonly at: Date;
}

const UPDATE_FUNDED = `update transactions t
     set state = $5, paid_amount = t.input_amount, funded_at = $6, due_at = $6,
       event_count = t.event_count + 1
     from unnest($2::uuid[], $3::uuid[]) as k (account_id, transaction_id)
     where ${onNodeOf('t')} and t.account_id = k.account_id and t.transaction_id = k.transaction_id
       and t.state = any($4::text[])`;

/** Moves funded transactions. The guard repeats the states from which they may move; a lost move is a bug. */
export async function updateFunded(tx: Tx, funded: readonly TransactionKey[], move: FundedMove): Promise<void> {
  const updated = await tx.execute(UPDATE_FUNDED, [...keyColumns(funded), move.from, move.to, move.at]);
  assert(updated === funded.length, 'every funded transaction was still in the state that was decided on');
}

function keyColumns(keys: readonly TransactionKey[]) {
  return keyLists(keys, (key) => key.transactionId);
}

export function transactionOf(row: StoredTransaction): Transaction {
  assert(isCurrency(row.input_currency), `stored currency ${row.input_currency} is known`);
  return {
    accountId: row.account_id,
    transactionId: row.transaction_id,
    externalId: row.external_id,
    senderId: row.sender_id,
    // States are a check constraint of the table; a test compares it with the state table.
    state: row.state as TransactionState,
    stateReason: row.state_reason,
    stateReasonDetails: row.state_reason_details,
    inputCurrency: row.input_currency,
    inputAmount: row.input_amount,
    paidAmount: row.paid_amount,
    isCollection: row.is_collection,
    autoRefund: row.auto_refund,
    accountValidation: row.account_validation,
    metadata: row.metadata,
    eventCount: row.event_count,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    fundedAt: row.funded_at,
  };
}
