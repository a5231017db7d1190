/**
 * The references that were canceled: the one thing that the sandbox's providers keep in mind, because nothing in an
 * order tells it. The oldest are forgotten, so that a sandbox which runs for months does not grow by them.
 */

const MAX_CANCELED = 10_000;

export class CanceledOrders {
  readonly #references = new Set<string>();

  has(reference: string): boolean {
    return this.#references.has(reference);
  }

  add(reference: string): void {
    const [oldest] = this.#references;
    if (this.#references.size >= MAX_CANCELED && oldest !== undefined) this.#references.delete(oldest);
    this.#references.add(reference);
  }
}
