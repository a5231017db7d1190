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
}

export class Memory {
  readonly #byKey = new Map<string, Promised[]>();
  /** External ids of creations that were sent, answered or not: nothing else may exist. */
  readonly sent = new Set<string>();
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

  /** As it is now: later promises do not change what is given here. */
  copy(): readonly Promised[] {
    return [...this.#byKey.values()].flat().map((each) => ({ ...each }));
  }
}
