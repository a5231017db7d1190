/** A payment that a provider has reported: stored once, with the one place in the books where its money went. */
import type { CurrencyCode } from '../money/currencies.ts';

export type ReceiptReason =
  | 'expected'
  /** The collection takes no more money: its hour is over, or it was canceled. */
  | 'late'
  /** Another amount than the payin type allows, or one that cannot be paid out. */
  | 'amount'
  /** It was paid already, or it broke; or the payment has the reference of one of another collection (OP-215). */
  | 'surplus';

/** What identifies a payment: the provider's own reference. Told twice of a collection, it is still one payment. */
export interface PaymentKey {
  readonly accountId: string;
  readonly provider: string;
  readonly paymentReference: string;
}

export interface KnownPayment extends PaymentKey {
  readonly transactionId: string;
}

/**
 * Under what a payment is stored whose reference is that of another collection's: no two rows of an account share one.
 */
export function referenceIn(reference: string, transactionId: string): string {
  return `${reference} in ${transactionId}`;
}

export interface PayinReceipt extends PaymentKey {
  readonly receiptId: string;
  readonly transactionId: string;
  readonly payinMethodId: string;
  /** Null for a payin on demand in the sandbox. */
  readonly attemptId: string | null;
  readonly currency: CurrencyCode;
  readonly amount: bigint;
  readonly reason: ReceiptReason;
  readonly entryId: string;
  readonly receivedAt: Date;
}

/** Where it was posted when it came: only what was expected counts for the collection. */
export function placeOf({ reason }: Pick<PayinReceipt, 'reason'>): 'held' | 'suspense' {
  return reason === 'expected' ? 'held' : 'suspense';
}

/** What became of a payment afterwards, by the word of an operator. */
export interface ReceiptDecision {
  /** Accepted into the balance, or returned to the payer. */
  readonly resolution: 'accepted' | 'returned';
  readonly at: Date;
  /** Name of the operator. */
  readonly by: string;
  readonly reason: string;
  /** What shows that the payer has the money again; null unless it was returned. */
  readonly evidence: string | null;
  readonly entryId: string;
}

/** A payment as it is stored. */
export interface StoredReceipt extends PayinReceipt {
  /** Null: nothing was decided. */
  readonly decision: ReceiptDecision | null;
}

/** A payment in a list for operators. */
export interface ListedReceipt extends StoredReceipt {
  readonly accountName: string;
  readonly externalId: string | null;
  readonly transactionState: string;
}
