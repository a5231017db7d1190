/**
 * The port by which a sender is compared with sanctions lists. Whoever asks takes `version` and the hits in one go,
 * without waiting in between, and keeps both with the decision: the version names the lists and the rules that were in
 * force.
 */

export interface ScreenedSubject {
  /** Every name that the sender goes by, the usual one first. */
  readonly names: readonly string[];
  readonly type: 'person' | 'business';
  /** `1964-03-18`, or null where none is known. */
  readonly birthDate: string | null;
  /** ISO 3166-1 alpha-2, whatever ties the sender to a country. */
  readonly countries: readonly string[];
}

/** An entry of a list that may be the sender. */
export interface Hit {
  readonly list: string;
  /** The entry's id on its list. */
  readonly entryId: string;
  /** The entry's main name. */
  readonly name: string;
  /** The name of the entry, main or alias, that is most like the sender's. */
  readonly matchedName: string;
  /** 0 to 1. */
  readonly score: number;
  /** Where more speaks for it than a score of 1 can tell: the score before it was cut. */
  readonly strength?: number;
  /** One sentence for each piece of evidence, for people. */
  readonly explanation: readonly string[];
}

/** By which hits are compared: a namesake has the score of one who was also born on the same day. */
export function strengthOf({ score, strength = score }: Pick<Hit, 'score' | 'strength'>): number {
  return strength;
}

export interface SenderScreening {
  /** Of the lists and rules in force. It changes when one of them does. */
  version(): string;
  /** Best first; empty when nothing is like the subject. */
  screen(subject: ScreenedSubject): readonly Hit[];
}

/** No list was given: nobody is on it. */
export const noLists: SenderScreening = {
  version: () => 'none',
  screen: () => [],
};
