/**
 * How much text of deliveries is in memory until they are sent. Each brings its whole object, and one with many
 * recipients and their metadata is a hundred times as long as most: claimed by their number alone, those of a few
 * accounts with slow receivers would fill the memory. So what all hold together is bounded, and an account may have
 * half of it.
 */
import type { ClaimedDelivery, OpenDelivery } from './delivery.ts';

/** Of ordinary ones, which have a few thousand, more than a process ever claims. */
export const MAX_HELD_CHARS = 67_108_864;

export class TextRoom {
  readonly #maxChars: number;
  readonly #byAccount: Map<string, number>;
  #chars: number;

  constructor(maxChars: number = MAX_HELD_CHARS, held: ReadonlyMap<string, number> = new Map()) {
    this.#maxChars = maxChars;
    this.#byAccount = new Map(held);
    this.#chars = [...held.values()].reduce((sum, chars) => sum + chars, 0);
  }

  /** An account that holds nothing is always given one: however long it is, and whatever others hold. */
  isFullFor(accountId: string): boolean {
    const held = this.#byAccount.get(accountId) ?? 0;
    return held > 0 && (held >= this.#maxChars / 2 || this.#chars >= this.#maxChars);
  }

  /** What there is room for, each chain from its beginning. Nothing is held by that. */
  fitting<Delivery extends OpenDelivery>(
    chains: readonly (readonly Delivery[])[],
    charsOf: (delivery: Delivery) => number,
  ): Delivery[][] {
    const room = new TextRoom(this.#maxChars, this.#byAccount);
    return chains.flatMap((chain) => {
      const fit: Delivery[] = [];
      for (const delivery of chain) {
        if (room.isFullFor(delivery.accountId)) break;
        room.#add(delivery.accountId, charsOf(delivery));
        fit.push(delivery);
      }
      return fit.length === 0 ? [] : [fit];
    });
  }

  hold(deliveries: readonly ClaimedDelivery[]): void {
    for (const { accountId, body } of deliveries) this.#add(accountId, body.length);
  }

  giveBack(deliveries: readonly ClaimedDelivery[]): void {
    for (const { accountId, body } of deliveries) this.#add(accountId, -body.length);
  }

  #add(accountId: string, chars: number): void {
    const held = (this.#byAccount.get(accountId) ?? 0) + chars;
    if (held > 0) this.#byAccount.set(accountId, held);
    else this.#byAccount.delete(accountId);
    this.#chars += chars;
  }
}
