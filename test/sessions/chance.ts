/** Chance that comes from a seed, so that a schedule can be run again: numbers, choices and ids. */
import { formatVersion7, type Ids } from '../../server/src/kernel/ids.ts';

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and below the bound (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }

  times<Item>(count: number, make: () => Item): Item[] {
    return Array.from({ length: count }, make);
  }
}

/** Ids from the seed: their order, which is the order of locks, is drawn too. */
export function seededIds(chance: Chance): Ids {
  const word = () =>
    chance
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return {
    next: () => formatVersion7(Buffer.from(`${word()}${word()}${word()}${word()}`, 'hex'), chance.below(2 ** 40)),
  };
}
