/** Payments of payers as operators see them. Nothing of it says who the payer is: that is payer-view.ts. */
import type { PayinMethod } from '../payins/payin-method.ts';
import { type ListedReceipt, placeOf, type ReceiptReason, type StoredReceipt } from '../payins/receipt.ts';
import { textOf } from '../payins/state-reason.ts';
import { isCallUnderWay } from '../transactions/call-under-way.ts';
import type { ShownCollection } from '../transactions/payin-orders.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { timeView } from './time-view.ts';

export function receiptView(receipt: StoredReceipt) {
  const { decision } = receipt;
  return {
    id: receipt.receiptId,
    account_id: receipt.accountId,
    transaction_id: receipt.transactionId,
    payin_method_id: receipt.payinMethodId,
    provider: receipt.provider,
    reference: receipt.paymentReference,
    amount: formatLedgerAmount(receipt.currency, receipt.amount),
    currency: receipt.currency,
    /** Where it was posted when it came. */
    place: placeOf(receipt),
    reason: receipt.reason,
    received_at: receipt.receivedAt.toISOString(),
    resolution: decision?.resolution ?? null,
    resolved_at: timeView(decision?.at),
    resolved_by: decision?.by ?? null,
    resolution_reason: decision?.reason ?? null,
    evidence: decision?.evidence ?? null,
  };
}

export function listedView(receipt: ListedReceipt) {
  return {
    ...receiptView(receipt),
    account_name: receipt.accountName,
    transaction_external_id: receipt.externalId,
    transaction_state: receipt.transactionState,
  };
}

/** How a payer pays, without what the payer gave for it. */
export function payinMethodView(method: PayinMethod, now: Date) {
  return {
    id: method.payinMethodId,
    type: method.type,
    ux_flow: method.uxFlow,
    state: method.state,
    reason: method.stateReasonDetails && textOf(method.stateReasonDetails),
    code: method.stateReasonDetails?.code ?? null,
    provider: method.provider,
    attempts: method.attemptCount,
    errors: method.errorCount,
    next_attempt_at: timeView(method.nextAttemptAt),
    cancel_requested_at: timeView(method.cancelRequestedAt),
    call_under_way: isCallUnderWay(method, now),
    created_at: method.createdAt.toISOString(),
  };
}

export function collectionView({ transaction, receipts }: ShownCollection) {
  return {
    transaction_id: transaction.transactionId,
    transaction_external_id: transaction.externalId,
    account_id: transaction.accountId,
    state: transaction.state,
    payin_state: transaction.payinMethods[0]?.state ?? null,
    amount: formatLedgerAmount(transaction.inputCurrency, transaction.paidAmount),
    currency: transaction.inputCurrency,
    payins: receipts.map(receiptView),
  };
}

const WHY_SUSPENSE = {
  expected: 'it counts for its collection',
  late: 'it came after the collection had ended',
  amount: 'it is another amount than was asked for',
  surplus: 'the collection was paid already or broke, or the reference is known from another one',
} as const satisfies Record<ReceiptReason, string>;

/** In the list of what needs people: the same fields as a recipient there. */
export function suspenseView(receipt: ListedReceipt) {
  return {
    state: 'suspense',
    account_id: receipt.accountId,
    account_name: receipt.accountName,
    transaction_id: receipt.transactionId,
    transaction_external_id: receipt.externalId,
    transaction_state: receipt.transactionState,
    recipient_id: null,
    payin_id: receipt.receiptId,
    reason: WHY_SUSPENSE[receipt.reason],
    code: null,
    input_amount: formatLedgerAmount(receipt.currency, receipt.amount),
    input_currency: receipt.currency,
    output_amount: null,
    output_currency: null,
    payout_type: null,
    provider: receipt.provider,
    attempts: null,
    errors: null,
    last_attempt_at: null,
    heard_at: null,
    cancel_requested_at: null,
  };
}
