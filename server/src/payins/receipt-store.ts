/** The SQL of payments that providers have reported. */
import type { Tx } from '../kernel/database.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
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

const RECEIPTS = rowsOf<PayinReceipt>('payin_receipts', {
  account_id: ['uuid', (r) => r.accountId],
  receipt_id: ['uuid', (r) => r.receiptId],
  transaction_id: ['uuid', (r) => r.transactionId],
  payin_method_id: ['uuid', (r) => r.payinMethodId],
  attempt_id: ['uuid', (r) => r.attemptId],
  provider: ['text', (r) => r.provider],
  payment_reference: ['text', (r) => r.paymentReference],
  currency: ['text', (r) => r.currency],
  amount: ['bigint', (r) => r.amount],
  place: ['text', placeOf],
  reason: ['text', (r) => r.reason],
  entry_id: ['uuid', (r) => r.entryId],
  received_at: ['timestamptz', (r) => r.receivedAt],
});

/**
 * A payment that another batch has stored meanwhile, under another transaction, breaks the unique constraint and with
 * it this commit; they are then recorded again, and it is found (record-payins.ts).
 */
export function insertPayinReceipts(tx: Tx, receipts: readonly PayinReceipt[]): Promise<void> {
  return addRows(tx, RECEIPTS, receipts);
}
