/**
 * The book of the simulated payin providers: what payers have sent, in truth. It outlives every process of the service,
 * and the invariants compare ours with it. A payer is prompted once for one reference, however often it is sent.
 */
import type { PayinAnswer, PayinOrder, Payment } from '../../server/src/providers/payin-provider.ts';

/** How a prompt stands, whatever has arrived under it. */
export type Standing = 'waiting' | 'needs code' | 'processing' | 'failed' | 'canceled';

export interface PayinEntry {
  readonly order: PayinOrder;
  readonly provider: string;
  readonly payments: Payment[];
  standing: Standing;
  code: string;
  wasWrong: boolean;
}

const OPEN: readonly Standing[] = ['waiting', 'needs code', 'processing'];

export class PayinBook {
  readonly #entries = new Map<string, PayinEntry>();

  find(reference: string): PayinEntry | undefined {
    return this.#entries.get(reference);
  }

  all(): readonly PayinEntry[] {
    return [...this.#entries.values()];
  }

  /** Only a new prompt: one that is there stays as it is. */
  enter(provider: string, order: PayinOrder): PayinEntry {
    const known = this.#entries.get(order.reference);
    if (known) return known;
    const entry: PayinEntry = { order, provider, payments: [], standing: 'waiting', code: '1', wasWrong: false };
    this.#entries.set(order.reference, entry);
    return entry;
  }

  /** A prompt for the same money under which a payer could still pay, and has not. */
  openPromptOf({ payinMethodId }: PayinOrder): PayinEntry | undefined {
    return this.all().find(
      ({ order, standing, payments }) =>
        order.payinMethodId === payinMethodId && payments.length === 0 && OPEN.includes(standing),
    );
  }

  /** The same payment always has the same reference, and no two share it. */
  pay(entry: PayinEntry, minor: bigint): void {
    const number = entry.payments.length + 1;
    entry.payments.push({ reference: `${labelOf(entry.order)}/${number}`, minor });
  }
}

/** What an honest provider says about an entry: everything that has arrived, or how the prompt stands. */
export function saidOf({ payments, standing, code, wasWrong }: PayinEntry): PayinAnswer {
  if (payments.length > 0) return { kind: 'paid', payments: [...payments] };
  switch (standing) {
    case 'waiting':
      return { kind: 'waiting', code: '1' };
    case 'needs code':
      return { kind: 'needs_otp', ...(wasWrong && { wasWrong }) };
    case 'processing':
      return { kind: 'processing' };
    case 'failed':
      return { kind: 'failed', code };
    case 'canceled':
      return { kind: 'failed', code: '433' };
  }
}

/** `C12/2`: the collection as its caller named it, and the number of the prompt. */
export function labelOf({ collectionReference, attemptNumber }: PayinOrder): string {
  return `${collectionReference}/${attemptNumber}`;
}
