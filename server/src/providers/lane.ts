/**
 * So many at once; the others wait, and those who are told apart take turns: nobody waits behind all that another one
 * wants. Who gives up while waiting has done nothing and takes no place.
 */
import { GivenUp } from '../kernel/deadline.ts';

/** Far more than anybody claims; beyond it something is broken, and waiting would only hide it. */
const MAX_WAITING = 100_000;

export interface Turn {
  /** How long it may wait for a place. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Whose turn it takes; of the same ones the first comes first. */
  readonly whose?: string;
}

export class Lane {
  readonly #places: number;
  #taken = 0;
  #waiting = 0;
  /** In the order of their turns. Arrays although one in the middle may leave: kernel/passing.ts says why. */
  readonly #lines = new Map<string, (() => void)[]>();

  constructor(places: number) {
    this.#places = places;
  }

  /** Places that are free now. */
  get room(): number {
    return Math.max(0, this.#places - this.#taken - this.#waiting);
  }

  /**
   * Rejects with GivenUp when no place is free within the time. The place is given back when the work ends, or when the
   * signal comes: given up is given up.
   */
  async run<T>({ waitMs, signal, whose = '' }: Turn, work: () => Promise<T>): Promise<T> {
    await this.#enter(waitMs, whose);
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

  #enter(waitMs: number, whose: string): Promise<void> {
    if (this.#taken < this.#places) {
      this.#taken += 1;
      return Promise.resolve();
    }
    if (this.#waiting >= MAX_WAITING) return Promise.reject(new GivenUp('too many calls are waiting'));
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#goAway(whose, begin);
        reject(new GivenUp('no free place in time'));
      }, waitMs);
      const line = this.#lines.get(whose) ?? [];
      line.push(begin);
      this.#lines.set(whose, line);
      this.#waiting += 1;
    });
  }

  #goAway(whose: string, begin: () => void): void {
    const line = this.#lines.get(whose);
    const at = line?.indexOf(begin) ?? -1;
    if (line === undefined || at === -1) return;
    line.splice(at, 1);
    this.#waiting -= 1;
    if (line.length === 0) this.#lines.delete(whose);
  }

  /** The place goes to whoever waits longest in the line whose turn it is. */
  #leave(): void {
    const [first] = this.#lines;
    const [next] = first?.[1] ?? [];
    if (first === undefined || next === undefined) {
      this.#taken -= 1;
      return;
    }
    const [whose, line] = first;
    this.#goAway(whose, next);
    // To the end: all others come before its next one.
    if (this.#lines.delete(whose)) this.#lines.set(whose, line);
    next();
  }
}
