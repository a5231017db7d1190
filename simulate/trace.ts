/** What happened, a line for each step, for people; and a hash over all lines, by which two runs are compared. */
import { createHash } from 'node:crypto';

/** Beyond this only the hash goes on: a month has more lines than anybody reads. */
const MAX_KEPT_LINES = 50_000;

export class Trace {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #nowMs: () => number;
  readonly #startMs: number;
  #count = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  /** `2+03:20:15.020 shop1   what happened`: days, hours, minutes and seconds since the start. */
  add(who: string, what: string): void {
    const line = `${elapsed(this.#nowMs() - this.#startMs)} ${who.padEnd(9)} ${what}`;
    this.#count += 1;
    this.#hash.update(line).update('\n');
    if (this.#lines.length < MAX_KEPT_LINES) this.#lines.push(line);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get count(): number {
    return this.#count;
  }

  hash(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }
}

const DAY_MS = 86_400_000;

function elapsed(ms: number): string {
  return `${Math.floor(ms / DAY_MS)}+${new Date(ms % DAY_MS).toISOString().slice(11, 23)}`;
}
