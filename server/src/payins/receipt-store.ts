/** The SQL of payments that providers have reported. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import { type KnownPayment, type PayinReceipt, type PaymentKey, placeOf } from './receipt.ts';

/** Which of these payments are stored already, and for which collection. */
export async function readKnownPayments(tx: Tx, keys: readonly PaymentKey[]): Promise<KnownPayment[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<{
    account_id: string;
    provider: string;
    payment_reference: string;
    transaction_id: string;
  }>(
    `select r.account_id, r.provider, r.payment_reference, r.transaction_id
     from payin_receipts r
     join unnest($2::uuid[], $3::text[], $4::text[]) as u (account_id, provider, payment_reference)
       on u.account_id = r.account_id and u.provider = r.provider and u.payment_reference = r.payment_reference
     where ${onNodeOf('r')}`,
    [
      accountIdsOf(keys),
      keys.map((key) => key.accountId),
      keys.map((key) => key.provider),
      keys.map((key) => key.paymentReference),
    ],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    provider: row.provider,
    paymentReference: row.payment_reference,
    transactionId: row.transaction_id,
  }));
}

/**
 * A payment that another batch has stored meanwhile, under another transaction, breaks the unique constraint and with it
 * this commit; the batch is then run again, and finds it.
 */
export async function insertPayinReceipts(tx: Tx, receipts: readonly PayinReceipt[]): Promise<void> {
  if (receipts.length === 0) return;
  const inserted = await tx.execute(
    `insert into payin_receipts (account_id, receipt_id, transaction_id, payin_method_id, attempt_id, provider, payment_reference,
       currency, amount, place, reason, entry_id, received_at)
     select a.account_id, u.receipt_id, u.transaction_id, u.payin_method_id, u.attempt_id, u.provider,
       u.payment_reference, u.currency, u.amount, u.place, u.reason, u.entry_id, u.received_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[],
         $10::bigint[], $11::text[], $12::text[], $13::uuid[], $14::timestamptz[])
       as u (account_id, receipt_id, transaction_id, payin_method_id, attempt_id, provider, payment_reference,
         currency, amount, place, reason, entry_id, received_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(receipts),
      receipts.map((r) => r.accountId),
      receipts.map((r) => r.receiptId),
      receipts.map((r) => r.transactionId),
      receipts.map((r) => r.payinMethodId),
      receipts.map((r) => r.attemptId),
      receipts.map((r) => r.provider),
      receipts.map((r) => r.paymentReference),
      receipts.map((r) => r.currency),
      receipts.map((r) => r.amount),
      receipts.map(placeOf),
      receipts.map((r) => r.reason),
      receipts.map((r) => r.entryId),
      receipts.map((r) => r.receivedAt),
    ],
  );
  assert(inserted === receipts.length, 'every payment was stored');
}
