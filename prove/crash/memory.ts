/**
 * What the customers were promised, kept outside of the service: every change that was acknowledged, from the moment of
 * its answer on. The service is held to it whatever was killed since.
 */
import type { Manner } from './bank.ts';

export interface Promised {
  readonly key: string;
  readonly externalId: string;
  readonly transactionId: string;
  readonly recipientId: string;
  /** What funding takes from the balance. */
  readonly inputCents: number;
  isFunded: boolean;
  /** Its cancellation was answered with a recipient that is canceled. */
  isCanceled: boolean;
  readonly manner: Manner;
  /** Its edit was acknowledged. */
  isMended: boolean;
  /** Funded and canceled at once: which of them came first, nobody decides. */
  isCrossed: boolean;
}

/** A collection: its payer pays, and the balance gets it once. */
export interface Collected {
  readonly key: string;
  readonly externalId: string;
  readonly transactionId: string;
  /** In hundredths, like all amounts here. */
  readonly inputCents: number;
}

export class Memory {
  readonly #byKey = new Map<string, Promised[]>();
  readonly #collections: Collected[] = [];
  /** External ids of creations that were sent, answered or not: nothing else may exist. */
  readonly sent = new Set<string>();
  /** Those of creations that can only be refused, which are those of their senders too: nothing may bear one. */
  readonly refused = new Set<string>();
  /** Answers that never came, or said that nothing is known. */
  unanswered = 0;
  /** Acknowledged changes: creations, fundings, edits, cancellations. */
  acknowledged = 0;
  reads = 0;
  /** Nobody asks for anything any more: the run was closed, whatever is still under way. */
  isOver = false;

  add(promised: Promised): void {
    const mine = this.#byKey.get(promised.key);
    if (mine === undefined) this.#byKey.set(promised.key, [promised]);
    else mine.push(promised);
  }

  of(key: string): readonly Promised[] {
    return this.#byKey.get(key) ?? [];
  }

  addCollection(collected: Collected): void {
    this.#collections.push(collected);
  }

  collectionsOf(key: string): readonly Collected[] {
    return this.#collections.filter((each) => each.key === key);
  }

  /** Transactions whose creation was acknowledged up to now, payouts or not. */
  ids(): readonly string[] {
    return [...[...this.#byKey.values()].flat(), ...this.#collections].map(({ transactionId }) => transactionId);
  }

  /** The payouts as they are now: later promises do not change what is given here. */
  copy(): readonly Promised[] {
    return [...this.#byKey.values()].flat().map((each) => ({ ...each }));
  }
}
