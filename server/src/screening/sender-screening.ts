/**
 * The port of sanctions screening: who is looked for, and what the lists say. An answer is a value of pure code: no
 * network, no clock. `noLists` stands where no list is loaded.
 */

export interface ScreenedSubject {
  readonly names: readonly string[];
  readonly type: 'person' | 'business';
  readonly birthDate: string | null;
  readonly countries: readonly string[];
}

export interface Hit {
  readonly list: string;
  readonly entryId: string;
  readonly name: string;
  readonly matchedName: string;
  readonly score: number;
  readonly explanation: readonly string[];
}

export interface SenderScreening {
  version(): string;
  screen(subject: ScreenedSubject): readonly Hit[];
}

export const noLists: SenderScreening = {
  version: () => 'none',
  screen: () => [],
};
