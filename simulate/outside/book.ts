/**
 * The book of a simulated provider: what became of each order in truth. It outlives every process of the service, and
 * the invariants compare ours with it. A provider pays one reference once, however often it is sent.
 */
import type { PayoutAnswer, PayoutOrder } from '../../server/src/providers/payout-provider.ts';

export type Truth =
  | { readonly kind: 'taken' }
  | { readonly kind: 'paid'; readonly minor: bigint }
  | { readonly kind: 'failed'; readonly code: string };

export interface BookEntry {
  readonly order: PayoutOrder;
  readonly provider: string;
  truth: Truth;
  /** It has said failed, or canceled, and paid all the same; or the other way round. */
  isContradicted: boolean;
}

export class Book {
  readonly #entries = new Map<string, BookEntry>();

  find(reference: string): BookEntry | undefined {
    return this.#entries.get(reference);
  }

  all(): readonly BookEntry[] {
    return [...this.#entries.values()];
  }

  of(recipientId: string): readonly BookEntry[] {
    return this.all().filter(({ order }) => order.recipientId === recipientId);
  }

  /** Only a new order: one that is there stays as it is. */
  enter(provider: string, order: PayoutOrder, truth: Truth): BookEntry {
    const known = this.#entries.get(order.reference);
    if (known) return known;
    const entry = { order, provider, truth, isContradicted: false };
    this.#entries.set(order.reference, entry);
    return entry;
  }
}

/** What an honest provider says about an entry. */
export function said({ truth, order }: BookEntry): PayoutAnswer {
  switch (truth.kind) {
    case 'taken':
      return { kind: 'pending', code: '14' };
    case 'paid':
      return truth.minor === order.amount.minor ? { kind: 'paid' } : { kind: 'paid', paidMinor: truth.minor };
    case 'failed':
      return { kind: 'failed', code: truth.code };
  }
}
