/**
 * How many calls of one kind are under way at each provider. One that hangs may hold a part of a process's calls and no
 * more: the others are for other providers, and what needs no call at all is not kept waiting either.
 */

/** One provider may have a quarter of all calls at once, and at least one. */
const SHARE = 4;

/** What one claim decides counts at once, and for good when it is kept: a claim that fails calls nobody. */
export interface Taking {
  hasRoom(provider: string): boolean;
  take(provider: string): void;
  keep(): void;
}

export class Shares {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();

  constructor(callsInFlight: number) {
    this.#most = Math.max(1, Math.floor(callsInFlight / SHARE));
  }

  /** For one claim. */
  begin(): Taking {
    const decided = new Map<string, number>();
    const mine = (provider: string) => decided.get(provider) ?? 0;
    return {
      hasRoom: (provider) => this.of(provider) + mine(provider) < this.#most,
      take: (provider) => decided.set(provider, mine(provider) + 1),
      keep: () => {
        for (const [provider, count] of decided) this.#underWay.set(provider, this.of(provider) + count);
      },
    };
  }

  ended(provider: string): void {
    const left = this.of(provider) - 1;
    if (left > 0) this.#underWay.set(provider, left);
    else this.#underWay.delete(provider);
  }

  of(provider: string): number {
    return this.#underWay.get(provider) ?? 0;
  }
}
