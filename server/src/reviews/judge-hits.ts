/**
 * Which hits count. Pure. An operator who approves a sender has said that its hits are somebody else: with the next
 * lists they do not come back, unless they match better than they did then. Open point OP-180. A caller who edits the
 * sender has said nothing of the kind: what was found before stays until people decide. Open point OP-225.
 */
import { type Hit, strengthOf } from '../screening/sender-screening.ts';
import type { ClearedHit } from '../senders/checks.ts';
import type { CheckReason, JudgedHit, Review } from './review.ts';

/** The best of those that edits left behind: a caller may edit as often as it likes. */
const MAX_KEPT_HITS = 100;

export function judgeHits(hits: readonly Hit[], cleared: readonly ClearedHit[]): JudgedHit[] {
  return hits.map((hit) => ({
    ...hit,
    isCleared: cleared.some((known) => isSameEntry(known, hit) && strengthOf(hit) <= strengthOf(known)),
  }));
}

export function openHits(hits: readonly JudgedHit[]): JudgedHit[] {
  return hits.filter(({ isCleared }) => !isCleared);
}

/**
 * The hits of an open review that a further check does not take away. New lists speak of the sender as it is, so only
 * what is from before an edit outlives them.
 */
export function keptHits(review: Pick<Review, 'hits'> | undefined, reason: CheckReason | 'disabled'): JudgedHit[] {
  const found = openHits(review?.hits ?? []);
  const kept = reason === 'lists' ? found.filter(({ isFromBefore }) => isFromBefore) : found;
  return [...kept]
    .sort((left, right) => strengthOf(right) - strengthOf(left))
    .filter((hit, index, all) => all.findIndex((each) => isSameEntry(each, hit)) === index)
    .slice(0, MAX_KEPT_HITS)
    .map((hit) => ({ ...hit, isFromBefore: true }));
}

/** What is cleared once these are: of an entry that was cleared before, the better match. */
export function clearHits(cleared: readonly ClearedHit[], hits: readonly Hit[]): ClearedHit[] {
  return hits.reduce<ClearedHit[]>(
    (known, hit) => {
      const before = known.find((each) => isSameEntry(each, hit));
      if (before !== undefined && strengthOf(before) >= strengthOf(hit)) return known;
      const { list, entryId, score, strength } = hit;
      const better = { list, entryId, score, ...(strength !== undefined && { strength }) };
      return [...known.filter((each) => each !== before), better];
    },
    [...cleared],
  );
}

function isSameEntry(left: Pick<Hit, 'list' | 'entryId'>, right: Pick<Hit, 'list' | 'entryId'>): boolean {
  return left.list === right.list && left.entryId === right.entryId;
}
