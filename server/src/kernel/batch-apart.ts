/**
 * Tenants that are run apart from the batches, because one of their commands ran into the time limit of a statement:
 * most likely somebody keeps one of their rows, and each batch with a command of theirs would wait for it as long, and
 * all the others in it too. Their commands are run one by one, beside the lanes, until one of them gets through.
 */
import { assert } from './assert.ts';

/** How many tenants are apart at once. Each may hold a connection. */
export const MAX_APART = 2;
/** How many commands of such a tenant may wait. */
export const MAX_QUEUED_APART = 1_000;

/** Runs one command; tells whether it ran into the time limit as well. */
type RunAlone<Item> = (item: Item) => Promise<{ readonly isStuck: boolean }>;

interface List<Item> {
  readonly items: Item[];
  isRunning: boolean;
}

export class TenantsApart<Item> {
  readonly #lists = new Map<string, List<Item>>();
  readonly #runs = new Set<Promise<void>>();
  readonly #openRun: () => RunAlone<Item>;

  /** What it is given opens a run of one command after another. */
  constructor(openRun: () => RunAlone<Item>) {
    this.#openRun = openRun;
  }

  /** How many are being run. */
  running(): number {
    return this.#runs.size;
  }

  has(tenant: string): boolean {
    return this.#lists.has(tenant);
  }

  /** False: there are too many of them. */
  hasRoom(): boolean {
    if (this.#runs.size >= MAX_APART) return false;
    if (this.#lists.size < MAX_APART) return true;
    return [...this.#lists.values()].some((list) => !list.isRunning);
  }

  set(tenant: string): void {
    assert(this.hasRoom(), 'no more tenants are apart than may be');
    // One that nobody calls for any more is forgotten: it is found again if need be.
    for (const [other, list] of this.#lists) {
      if (this.#lists.size >= MAX_APART && !list.isRunning) this.#lists.delete(other);
    }
    this.#lists.set(tenant, { items: [], isRunning: false });
  }

  /** False: the tenant is not apart, or no longer because too many others are being run. */
  add(tenant: string, item: Item): boolean {
    const list = this.#lists.get(tenant);
    if (list === undefined) return false;
    if (!list.isRunning && this.#runs.size >= MAX_APART) {
      this.#lists.delete(tenant);
      return false;
    }
    list.items.push(item);
    if (!list.isRunning) {
      const run = this.#runAll(tenant, list).finally(() => this.#runs.delete(run));
      this.#runs.add(run);
    }
    return true;
  }

  waiting(tenant: string): number {
    return this.#lists.get(tenant)?.items.length ?? 0;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#runs);
  }

  async #runAll(tenant: string, list: List<Item>): Promise<void> {
    const run = this.#openRun();
    list.isRunning = true;
    for (let item = list.items.shift(); item !== undefined; item = list.items.shift()) {
      const { isStuck } = await run(item);
      // Whoever comes from now on goes with all others again; those who wait here come to their turn.
      if (!isStuck && this.#lists.get(tenant) === list) this.#lists.delete(tenant);
    }
    list.isRunning = false;
  }
}
