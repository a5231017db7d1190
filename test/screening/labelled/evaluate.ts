/** Screens every subject of a labelled set and counts what was found and what should not have been. */
import type { SenderScreening } from '../../../server/src/screening/sender-screening.ts';
import type { LabelledSubject } from './labelled-set.ts';

interface Evaluation {
  /** Of the subjects who are on the list, the share for whom the right entry is among the hits. */
  readonly recall: number;
  /** Of the subjects with the right hit and those with a hit who have none to get, the share of the former. */
  readonly precision: number;
  /** Entries shown, on average, for a subject who is on the list. */
  readonly hitsEach: number;
  /** What was done to the names that were missed, and the kinds of near misses that were hit, with counts. */
  readonly missed: ReadonlyMap<string, number>;
  readonly mistaken: ReadonlyMap<string, number>;
}

export function evaluate(screening: SenderScreening, subjects: readonly LabelledSubject[]): Evaluation {
  const missed = new Map<string, number>();
  const mistaken = new Map<string, number>();
  let [listed, right, wrong, hitCount] = [0, 0, 0, 0];
  for (const { subject, entryId, how } of subjects) {
    const hits = screening.screen(subject);
    if (entryId === undefined) {
      if (hits.length > 0) wrong += 1;
      if (hits.length > 0) mistaken.set(how, (mistaken.get(how) ?? 0) + 1);
      continue;
    }
    listed += 1;
    hitCount += hits.length;
    if (hits.some((hit) => hit.entryId === entryId)) right += 1;
    else missed.set(how, (missed.get(how) ?? 0) + 1);
  }
  return { recall: right / listed, precision: right / (right + wrong), hitsEach: hitCount / listed, missed, mistaken };
}
