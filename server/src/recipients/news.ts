/**
 * News that a provider has announced: when an order that it has will be decided, or that it will have something to say
 * about an order that it reported as failed. It is asked then. Pure.
 */
import type { Heard } from './effects.ts';
import { nextTryAt, type PayoutPolicy } from './pace.ts';

/** Puts the announced time into what was heard; undefined: nothing is announced (any more). */
export function announce(heard: Heard, newsAt: Date | undefined, now: Date, policy: PayoutPolicy): Heard {
  const { attempt, recipient } = heard;
  if (attempt.outcome === null) {
    if (newsAt === undefined) return heard;
    // Cash that is to be taken back or changed does not wait for the news: it may be picked up first.
    const isWaiting = recipient.cancelRequestedAt === null && !recipient.updateRequested;
    const nextAttemptAt = isWaiting ? newsAt : earliest(newsAt, recipient.nextAttemptAt);
    return { ...heard, recipient: { ...recipient, nextAttemptAt } };
  }
  if (recipient.attemptId !== attempt.attemptId) return heard;
  const nextAttemptAt = earliest(retryAt(heard, now, policy), newsAt ?? null, recipient.nextAttemptAt);
  return { ...heard, attempt: { ...attempt, newsAt: newsAt ?? null }, recipient: { ...recipient, nextAttemptAt } };
}

/**
 * What a provider says by itself puts off no question by which it is told of an edit or a cancellation: one that calls
 * more often than it is asked would never be told. `askAt`: when it was to be asked.
 */
export function putsOffNoWish(heard: Heard, askAt: Date | null): Heard {
  const { attempt, recipient } = heard;
  const hasWish = recipient.cancelRequestedAt !== null || recipient.updateRequested;
  if (attempt.outcome !== null || !hasWish) return heard;
  return { ...heard, recipient: { ...recipient, nextAttemptAt: earliest(askAt, recipient.nextAttemptAt) } };
}

function earliest(...times: readonly (Date | null)[]): Date | null {
  const known = times.flatMap((time) => (time === null ? [] : [time.getTime()]));
  return known.length === 0 ? null : new Date(Math.min(...known));
}

/** When the next attempt is due, for a recipient whose last one has failed. */
function retryAt({ attempt, recipient }: Heard, now: Date, policy: PayoutPolicy): Date | null {
  const category = recipient.stateReasonDetails?.category;
  if (recipient.state !== 'error' || category === undefined) return null;
  return nextTryAt(attempt, { category, errorCount: recipient.errorCount }, attempt.endedAt ?? now, policy);
}
