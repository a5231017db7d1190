/** So many at once; the others wait in their order. Who gives up while waiting has done nothing and takes no place. */
import { GivenUp } from './deadline.ts';

/** Far more than anybody claims; beyond it something is broken, and waiting would only hide it. */
const MAX_WAITING = 100_000;

export class Lane {
  readonly #places: number;
  #taken = 0;
  /** In the order in which they came. A set, so that one in the middle can leave. */
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#places = places;
  }

  /** Places that are free now. */
  get room(): number {
    return Math.max(0, this.#places - this.#taken - this.#waiting.size);
  }

  /**
   * Rejects with GivenUp when no place is free within the time. The place is given back when the work ends, or when the
   * signal comes: given up is given up.
   */
  async run<T>(waitMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(waitMs);
    let isGivenBack = false;
    const giveBack = () => {
      if (!isGivenBack) this.#leave();
      isGivenBack = true;
    };
    signal.addEventListener('abort', giveBack);
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', giveBack);
      giveBack();
    }
  }

  #enter(waitMs: number): Promise<void> {
    if (this.#taken < this.#places) {
      this.#taken += 1;
      return Promise.resolve();
    }
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new GivenUp('too many calls are waiting'));
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new GivenUp('no free place in time'));
      }, waitMs);
      this.#waiting.add(begin);
    });
  }

  /** The place goes to whoever waits longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
