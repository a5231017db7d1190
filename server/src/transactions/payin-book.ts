/** The prompts and payments that a desk works on: what is new or was heard of is written with everything else. */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { PayinAttempt } from '../payins/attempt.ts';
import { insertPayinAttempts, updatePayinAttempts } from '../payins/attempt-store.ts';
import type { PayinReceipt, PaymentKey } from '../payins/receipt.ts';
import { insertPayinReceipts } from '../payins/receipt-store.ts';

export class PayinBook {
  readonly #attempts: Map<string, PayinAttempt>;
  readonly #new = new Set<string>();
  readonly #heard = new Set<string>();
  readonly #payments: Set<string>;
  readonly #receipts: PayinReceipt[] = [];

  /** `known`: which of the payments that may be told are stored already. */
  constructor(attempts: readonly PayinAttempt[], known: readonly PaymentKey[] = []) {
    this.#attempts = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
    this.#payments = new Set(known.map(nameOf));
  }

  attempt(attemptId: string | null): PayinAttempt | undefined {
    return attemptId === null ? undefined : this.#attempts.get(attemptId);
  }

  putAttempt(attempt: PayinAttempt): void {
    if (this.#attempts.get(attempt.attemptId) === attempt) return;
    (this.#attempts.has(attempt.attemptId) ? this.#heard : this.#new).add(attempt.attemptId);
    this.#attempts.set(attempt.attemptId, attempt);
  }

  /** Whether the payment was recorded before, by another batch or by this one. */
  isKnown(payment: PaymentKey): boolean {
    return this.#payments.has(nameOf(payment));
  }

  addReceipt(receipt: PayinReceipt): void {
    this.#payments.add(nameOf(receipt));
    this.#receipts.push(receipt);
  }

  async write(tx: Tx): Promise<void> {
    const pick = (ids: Iterable<string>) => [...ids].map((id) => present(this.#attempts.get(id), 'prompt at the desk'));
    await Promise.all([
      insertPayinAttempts(tx, pick(this.#new)),
      updatePayinAttempts(
        tx,
        pick(this.#heard).filter(({ attemptId }) => !this.#new.has(attemptId)),
      ),
      insertPayinReceipts(tx, this.#receipts),
    ]);
  }
}

function nameOf({ accountId, provider, paymentReference }: PaymentKey): string {
  return `${accountId} ${provider} ${paymentReference}`;
}
