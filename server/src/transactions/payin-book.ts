/** The prompts and payments that a desk works on: what is new or was changed is written with everything else. */
import type { Tx } from '../kernel/database.ts';
import type { PayinAttempt } from '../payins/attempt.ts';
import { insertPayinAttempts, updatePayinAttempts } from '../payins/attempt-store.ts';
import type { KnownPayment, PayinReceipt, PaymentKey } from '../payins/receipt.ts';
import { insertPayinReceipts } from '../payins/receipt-store.ts';
import { AttemptBook } from './attempt-book.ts';

export class PayinBook {
  readonly #attempts: AttemptBook<PayinAttempt>;
  /** The collection that each was told for. */
  readonly #payments: Map<string, string>;
  readonly #receipts: PayinReceipt[] = [];

  /** `known`: which of the payments that may be told are stored already. */
  constructor(attempts: readonly PayinAttempt[], known: readonly KnownPayment[] = []) {
    this.#attempts = new AttemptBook(attempts);
    this.#payments = new Map(known.map((payment) => [nameOf(payment), payment.transactionId]));
  }

  attempt(attemptId: string | null): PayinAttempt | undefined {
    return this.#attempts.find(attemptId);
  }

  putAttempt(attempt: PayinAttempt): void {
    this.#attempts.put(attempt);
  }

  /** The transaction for which the payment was recorded before, by another batch or by this one. */
  knownFor(payment: PaymentKey): string | undefined {
    return this.#payments.get(nameOf(payment));
  }

  addReceipt(receipt: PayinReceipt): void {
    this.#payments.set(nameOf(receipt), receipt.transactionId);
    this.#receipts.push(receipt);
  }

  async write(tx: Tx): Promise<void> {
    await Promise.all([
      insertPayinAttempts(tx, this.#attempts.added()),
      updatePayinAttempts(tx, this.#attempts.changed()),
      insertPayinReceipts(tx, this.#receipts),
    ]);
  }
}

function nameOf({ accountId, provider, paymentReference }: PaymentKey): string {
  return `${accountId} ${provider} ${paymentReference}`;
}
