/**
 * Chance that comes from a seed: the same seed gives the same numbers on every machine. Each part of the world draws
 * from a stream of its own, named after it, so that leaving one part out changes nothing for the others.
 */
import { createHash } from 'node:crypto';
import { present } from '../server/src/kernel/assert.ts';

const TWO_TO_32 = 2 ** 32;
/** The first numbers of the generator still show its seed. */
const WARM_UP = 12;

export class Chance {
  readonly #name: string;
  readonly #state: Uint32Array;

  constructor(name: string) {
    this.#name = name;
    const digest = createHash('sha256').update(name).digest();
    this.#state = Uint32Array.from([0, 4, 8, 12], (offset) => digest.readUInt32LE(offset));
    for (let turn = 0; turn < WARM_UP; turn += 1) this.#draw();
  }

  /** A stream of its own: what is drawn from it changes nothing here. */
  of(part: string | number): Chance {
    return new Chance(`${this.#name}/${part}`);
  }

  /** At least 0 and below 1. */
  next(): number {
    return this.#draw() / TWO_TO_32;
  }

  /** A whole number, at least 0 and below the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** A whole number between the two, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.next() * 100 < share;
  }

  /** What is in the list may well be undefined: an answer that never comes. */
  pick<T>(list: readonly T[]): T {
    const place = this.below(list.length);
    const [picked] = list.slice(place, place + 1).map((value) => ({ value }));
    return present(picked, 'something to pick from').value;
  }

  /** By weight: an entry of weight 3 comes three times as often as one of weight 1. */
  weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
    const total = entries.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [weight, value] of entries) {
      left -= weight;
      if (left < 0) return value;
    }
    return present(entries.at(-1), 'something to choose from')[1];
  }

  fill(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = this.#draw() & 0xff;
  }

  /** sfc32: small, fast, and good enough for dice. */
  #draw(): number {
    const s = this.#state;
    const [a = 0, b = 0, c = 0, counter = 0] = s;
    const sum = (a + b + counter) | 0;
    s[3] = counter + 1;
    s[0] = b ^ (b >>> 9);
    s[1] = (c + (c << 3)) | 0;
    s[2] = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  }
}
