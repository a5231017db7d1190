/**
 * What is known of the details of objects, by their ids: as they were created, and as they were edited since. What an
 * edit touches is not known while it is under way, and when its outcome is not; after a refusal it is as it was before.
 */
import type { HeardAnswer } from './world.ts';

export type Details = Readonly<Record<string, unknown>>;

interface Known {
  details: Details;
  /** The last edit was refused. */
  isRefused: boolean;
  underWay: number;
  /** Counts the edits, so that each sees whether another one began meanwhile. */
  begun: number;
}

export class KnownDetails {
  readonly #known = new Map<string, Known>();

  /** It was created so. What is known of it already came later. */
  learn(id: string, details: Details): void {
    if (this.#known.has(id)) return;
    this.#of(id).details = details;
  }

  /** Sends an edit. */
  async edit(
    id: string,
    details: Details,
    send: () => Promise<HeardAnswer | undefined>,
  ): Promise<HeardAnswer | undefined> {
    const known = this.#of(id);
    const before = known.details;
    const untouched = Object.fromEntries(Object.entries(before).filter(([name]) => !(name in details)));
    const isFirst = known.underWay === 0;
    known.begun += 1;
    known.underWay += 1;
    const { begun } = known;
    known.details = untouched;
    known.isRefused = false;
    const answer = await send();
    known.underWay -= 1;
    // Of two at once nobody can say which one came last.
    const isAlone = isFirst && known.begun === begun;
    if (isAlone && answer?.status === 200) known.details = { ...untouched, ...details };
    if (isAlone && answer?.status === 422) {
      known.details = before;
      known.isRefused = true;
    }
    return answer;
  }

  /** Those whose last edit was refused, or all others. */
  all({ isRefused }: { readonly isRefused: boolean }): [id: string, details: Details][] {
    return [...this.#known]
      .filter(([, known]) => known.isRefused === isRefused)
      .map(([id, { details }]) => [id, details]);
  }

  #of(id: string): Known {
    const known = this.#known.get(id) ?? { details: {}, isRefused: false, underWay: 0, begun: 0 };
    this.#known.set(id, known);
    return known;
  }
}
