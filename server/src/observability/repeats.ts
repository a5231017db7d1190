/**
 * What happens again and again is told at once, and then once a minute with how often it happened in between: something
 * that is away has thousands of the same to tell.
 */
export const TOLD_EVERY_MS = 60_000;
/** Kinds are few; where a new one is made up each time, it is told of all the same. */
const MAX_KINDS = 1_000;

/** Fields of the line that tells of it. */
export interface Untold {
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
    const last = this.#told.get(kind);
    if (last !== undefined && nowMs - last.atMs < TOLD_EVERY_MS) {
      last.since += 1;
      return undefined;
    }
    if (this.#told.size >= MAX_KINDS) this.#told.clear();
    this.#told.set(kind, { atMs: nowMs, since: 0 });
    return last === undefined || last.since === 0 ? {} : { not_told_since: last.since };
  }
}
