/** The SQL of what people decide about payments. The lock on the transaction covers its payments too. */
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { accountIdsOf, byIdAlone, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { ReceiptDecision, ReceiptReason, StoredReceipt } from './receipt.ts';
import type { OfTransaction } from './store.ts';

export const RECEIPT_COLUMNS = `r.account_id, r.receipt_id, r.transaction_id, r.payin_method_id, r.attempt_id, r.provider,
  r.payment_reference, r.currency, r.amount, r.reason, r.entry_id, r.received_at, r.resolution, r.resolved_at,
  r.resolved_by, r.resolution_reason, r.resolution_evidence, r.resolution_entry_id`;

/** Reasons and resolutions are check constraints of the table. */
export interface ReceiptRow {
  account_id: string;
  receipt_id: string;
  transaction_id: string;
  payin_method_id: string;
  attempt_id: string | null;
  provider: string;
  payment_reference: string;
  currency: CurrencyCode;
  amount: bigint;
  reason: ReceiptReason;
  entry_id: string;
  received_at: Date;
  resolution: ReceiptDecision['resolution'] | null;
  resolved_at: Date | null;
  resolved_by: string | null;
  resolution_reason: string | null;
  resolution_evidence: string | null;
  resolution_entry_id: string | null;
}

interface OwnedReceipt extends OfTransaction {
  readonly receiptId: string;
}

export async function findReceiptOwner(db: Queryable, receiptId: string): Promise<OwnedReceipt | undefined> {
  const rows = await db.query<{ account_id: string; receipt_id: string; transaction_id: string }>(
    byIdAlone({ columns: 'r.account_id, r.receipt_id, r.transaction_id', from: 'payin_receipts r', id: 'receipt_id' }),
    [receiptId],
  );
  const [row] = rows;
  return row && { accountId: row.account_id, receiptId: row.receipt_id, transactionId: row.transaction_id };
}

/** All payments of the transactions, in the order in which they came. */
export async function readReceiptsOf(db: Queryable, transactions: readonly OfTransaction[]): Promise<StoredReceipt[]> {
  if (transactions.length === 0) return [];
  const rows = await db.query<ReceiptRow>(
    `${byKeys({ columns: RECEIPT_COLUMNS, from: 'payin_receipts r', id: 'transaction_id' })}
     order by r.account_id, r.received_at, r.receipt_id`,
    keyLists(transactions, (key) => key.transactionId),
  );
  return rows.map(receiptOf);
}

interface DecidedReceipt extends StoredReceipt {
  readonly decision: ReceiptDecision;
}

/** A payment is decided on once: the guard says so again, whoever holds the lock. */
export async function resolveReceipts(tx: Tx, receipts: readonly DecidedReceipt[]): Promise<void> {
  if (receipts.length === 0) return;
  const decisions = receipts.map(({ decision }) => decision);
  const updated = await tx.execute(
    `update payin_receipts r
     set resolution = u.resolution, resolved_at = u.resolved_at, resolved_by = u.resolved_by,
       resolution_reason = u.resolution_reason, resolution_evidence = u.resolution_evidence,
       resolution_entry_id = u.resolution_entry_id
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::uuid[])
       as u (account_id, receipt_id, resolution, resolved_at, resolved_by, resolution_reason, resolution_evidence,
         resolution_entry_id)
     where ${onNodeOf('r')} and r.account_id = u.account_id and r.receipt_id = u.receipt_id
       and r.resolution is null`,
    [
      accountIdsOf(receipts),
      receipts.map((receipt) => receipt.accountId),
      receipts.map((receipt) => receipt.receiptId),
      decisions.map((decision) => decision.resolution),
      decisions.map((decision) => decision.at),
      decisions.map((decision) => decision.by),
      decisions.map((decision) => decision.reason),
      decisions.map((decision) => decision.evidence),
      decisions.map((decision) => decision.entryId),
    ],
  );
  assert(updated === receipts.length, 'every payment that is decided on was open');
}

export function receiptOf(row: ReceiptRow): StoredReceipt {
  return {
    accountId: row.account_id,
    receiptId: row.receipt_id,
    transactionId: row.transaction_id,
    payinMethodId: row.payin_method_id,
    attemptId: row.attempt_id,
    provider: row.provider,
    paymentReference: row.payment_reference,
    currency: row.currency,
    amount: row.amount,
    reason: row.reason,
    entryId: row.entry_id,
    receivedAt: row.received_at,
    decision: decisionOf(row),
  };
}

/** Whole or not at all: a check constraint. */
function decisionOf(row: ReceiptRow): ReceiptDecision | null {
  const { resolution, resolved_at: at, resolved_by: by, resolution_reason: reason, resolution_entry_id: entryId } = row;
  if (resolution === null || at === null || by === null || reason === null || entryId === null) return null;
  return { resolution, at, by, reason, evidence: row.resolution_evidence, entryId };
}
