/**
 * What requests would make, by its name: a refusal promises that nothing of that name is there. It does so no longer
 * once another request for the same name is on its way, or was answered otherwise: a double click, a lost answer.
 */
import type { HeardAnswer } from './world.ts';

interface Requests {
  underWay: number;
  isRefused: boolean;
  /** One of them has made it, or nobody knows. */
  isPossible: boolean;
}

const REFUSED = 422;

export class RefusedNames {
  readonly #requests = new Map<string, Requests>();

  /** Sends what would make the thing of that name. */
  async during(name: string, send: () => Promise<HeardAnswer | undefined>): Promise<HeardAnswer | undefined> {
    const requests = this.#of(name);
    requests.underWay += 1;
    const answer = await send();
    requests.underWay -= 1;
    if (answer?.status === REFUSED) requests.isRefused = true;
    else requests.isPossible = true;
    return answer;
  }

  /** It may have come about in another way. */
  allow(name: string): void {
    this.#of(name).isPossible = true;
  }

  all(): string[] {
    return [...this.#requests]
      .filter(([, { underWay, isRefused, isPossible }]) => isRefused && !isPossible && underWay === 0)
      .map(([name]) => name);
  }

  #of(name: string): Requests {
    const requests = this.#requests.get(name) ?? { underWay: 0, isRefused: false, isPossible: false };
    this.#requests.set(name, requests);
    return requests;
  }
}

/** Two accounts may use the same name. */
export function nameIn(accountId: string, name: string): string {
  return `${accountId} ${name}`;
}
