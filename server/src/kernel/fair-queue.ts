/**
 * Who waits for one of a few places: keys take turns, so that nobody waits behind all that another key has asked for.
 */
export class FairQueue {
  readonly #places: number;
  readonly #longest: number;
  /** By key, in the order in which they have their turn. */
  readonly #lines = new Map<string, (() => void)[]>();
  #taken = 0;

  /** `longest`: how many of one key may wait. */
  constructor({ places, longest }: { readonly places: number; readonly longest: number }) {
    this.#places = places;
    this.#longest = longest;
  }

  /** Calls `start` once there is a place, which is then taken until `leave`. False: too many of that key wait. */
  enter(key: string, start: () => void): boolean {
    if (this.#taken < this.#places) {
      this.#taken += 1;
      start();
      return true;
    }
    const line = this.#lines.get(key) ?? [];
    if (line.length >= this.#longest) return false;
    line.push(start);
    this.#lines.set(key, line);
    return true;
  }

  /** Gives a place back: the next one in line has it. */
  leave(): void {
    const [first] = this.#lines;
    if (first === undefined) {
      this.#taken -= 1;
      return;
    }
    const [key, line] = first;
    const start = line.shift();
    this.#lines.delete(key);
    // To the end: all other keys come before its next one.
    if (line.length > 0) this.#lines.set(key, line);
    start?.();
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0);
  }
}
