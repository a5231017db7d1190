/**
 * How many questions about payouts are under way at each provider. One that hangs may hold a part of a process's calls and
 * no more: the others are for other providers, and what needs no call at all is not kept waiting either.
 */
import type { Asking } from '../transactions/decide-due.ts';

/** One provider may be asked a quarter of all calls at once, and at least one. */
const SHARE = 4;

export class Questions {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();

  constructor(callsInFlight: number) {
    this.#most = Math.max(1, Math.floor(callsInFlight / SHARE));
  }

  /** For one claim. What it decides counts at once, and for good when it is kept: a claim that fails asks nobody. */
  readonly begin = (): Asking => {
    const decided = new Map<string, number>();
    return {
      mayAsk: (provider) => {
        const mine = decided.get(provider) ?? 0;
        if (this.of(provider) + mine >= this.#most) return false;
        decided.set(provider, mine + 1);
        return true;
      },
      keep: () => {
        for (const [provider, count] of decided) this.#underWay.set(provider, this.of(provider) + count);
      },
    };
  };

  ended(provider: string): void {
    const left = this.of(provider) - 1;
    if (left > 0) this.#underWay.set(provider, left);
    else this.#underWay.delete(provider);
  }

  of(provider: string): number {
    return this.#underWay.get(provider) ?? 0;
  }
}
