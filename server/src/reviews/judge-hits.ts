/**
 * Which hits count. Pure. An operator who approves a sender has said that its hits are somebody else: with the next
 * lists they do not come back, unless they match better than they did then. Open point OP-180.
 */
import type { Hit } from '../screening/sender-screening.ts';
import type { ClearedHit } from '../senders/checks.ts';
import type { JudgedHit } from './review.ts';

export function judgeHits(hits: readonly Hit[], cleared: readonly ClearedHit[]): JudgedHit[] {
  return hits.map((hit) => ({
    ...hit,
    isCleared: cleared.some((known) => isSameEntry(known, hit) && hit.score <= known.score),
  }));
}

export function openHits(hits: readonly JudgedHit[]): JudgedHit[] {
  return hits.filter(({ isCleared }) => !isCleared);
}

/** What is cleared once these are: of an entry that was cleared before, the better match. */
export function clearHits(cleared: readonly ClearedHit[], hits: readonly Hit[]): ClearedHit[] {
  return hits.reduce<ClearedHit[]>(
    (known, { list, entryId, score }) => {
      const before = known.find((each) => isSameEntry(each, { list, entryId }));
      const others = known.filter((each) => each !== before);
      return [...others, { list, entryId, score: Math.max(score, before?.score ?? score) }];
    },
    [...cleared],
  );
}

function isSameEntry(left: Pick<Hit, 'list' | 'entryId'>, right: Pick<Hit, 'list' | 'entryId'>): boolean {
  return left.list === right.list && left.entryId === right.entryId;
}
