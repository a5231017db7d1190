/**
 * Batches that take so long that somebody most likely keeps a row which they wait for. What comes for their tenants
 * would wait for the same rows, and everybody in its batch too: it is held back until the slow batch has ended. All
 * others go on in another lane.
 */

/** Many times what a batch takes, and short enough for callers of others. */
export const SLOW_AFTER_MS = 250;

interface SlowBatch<Item> {
  readonly tenants: ReadonlySet<string>;
  readonly held: Item[];
}

export class SlowBatches<Item> {
  readonly #slow = new Set<SlowBatch<Item>>();

  /** How many batches are slow. */
  get count(): number {
    return this.#slow.size;
  }

  /** How many items are held back. */
  get held(): number {
    let held = 0;
    for (const batch of this.#slow) held += batch.held.length;
    return held;
  }

  /** False: no slow batch has this tenant. */
  holdBack(tenant: string, item: Item): boolean {
    for (const { tenants, held } of this.#slow) {
      if (!tenants.has(tenant)) continue;
      held.push(item);
      return true;
    }
    return false;
  }

  /** A batch begins. Gives its end, which gives what was held back for it. */
  watch(tenantsOf: () => ReadonlySet<string>, onSlow: () => void): () => Item[] {
    let slow: SlowBatch<Item> | undefined;
    const timer = setTimeout(() => {
      slow = { tenants: tenantsOf(), held: [] };
      this.#slow.add(slow);
      onSlow();
    }, SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      if (slow === undefined) return [];
      this.#slow.delete(slow);
      return slow.held;
    };
  }
}
