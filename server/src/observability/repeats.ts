/**
 * What happens again and again is told at once, and then once a minute with how often it happened in between: something
 * that is away has thousands of the same to tell.
 */
export const TOLD_EVERY_MS = 60_000;
/** Of which one line a minute is told. Strangers can make up further ones, and all of these together have one more. */
const MAX_KINDS = 1_000;
const FURTHER_KINDS = 'further kinds';

/** Fields of the line that tells of it. */
interface Untold {
  readonly not_told_since?: number;
}

export class Repeats {
  readonly #nowMs: () => number;
  readonly #told = new Map<string, { readonly atMs: number; since: number }>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** It has happened. Undefined: it is not told of this time. */
  note(kind: string): Untold | undefined {
    const nowMs = this.#nowMs();
    const counted = this.#hasRoomFor(kind, nowMs) ? kind : FURTHER_KINDS;
    const last = this.#told.get(counted);
    if (last !== undefined && nowMs - last.atMs < TOLD_EVERY_MS) {
      last.since += 1;
      return undefined;
    }
    // Taken out first: the one that was told of longest ago stays in front.
    this.#told.delete(counted);
    this.#told.set(counted, { atMs: nowMs, since: 0 });
    return last === undefined || last.since === 0 ? {} : { not_told_since: last.since };
  }

  #hasRoomFor(kind: string, nowMs: number): boolean {
    if (this.#told.has(kind) || this.#told.size < MAX_KINDS) return true;
    // With their counts: what was not told of them stays untold.
    for (const [old, { atMs }] of this.#told) {
      if (nowMs - atMs < TOLD_EVERY_MS) break;
      this.#told.delete(old);
    }
    return this.#told.size < MAX_KINDS;
  }
}
