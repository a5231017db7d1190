/** Sanction lists of a seed: a few made-up family names, kept in memory. They can grow while everything goes on. */
import type { Hit, ScreenedSubject, SenderScreening } from '../../server/src/screening/sender-screening.ts';

/** On the list from the start. */
export const LISTED = 'Wantedname';

export class SanctionLists implements SenderScreening {
  readonly #names = new Set<string>([LISTED]);

  version(): string {
    return `simulated ${this.#names.size}`;
  }

  add(name: string): void {
    this.#names.add(name);
  }

  screen({ names }: ScreenedSubject): readonly Hit[] {
    return [...this.#names]
      .filter((listed) => names.some((name) => name.split(' ').includes(listed)))
      .map((name) => ({ list: 'simulated', entryId: name, name, matchedName: name, score: 1, explanation: [] }));
  }
}
