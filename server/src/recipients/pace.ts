/**
 * When a provider is asked again, and when a recipient is tried again. No chance in here: the jitter comes from the id
 * of the attempt, so that the same attempt always gets the same time. Open points OP-95 and OP-96.
 */
import type { Settings } from '../settings/shape.ts';
import type { Attempt } from './attempt.ts';
import type { RecipientCategory } from './error-codes.ts';

export type PayoutPolicy = Settings['payouts'];

/** Spread over a tenth of the delay, so that what failed together does not come back together. */
const JITTER = 0.1;
const JITTER_DIGITS = 8;
/** Doubling stops here, long after the longest time is reached. */
const MOST_DOUBLINGS = 30;

/** When to ask about an attempt that is under way. */
export function nextAskAt(attempt: Attempt, now: Date, policy: PayoutPolicy): Date {
  return later(now, doubled(policy.askFirstMs, attempt.asks, policy.askLongestMs), attempt.attemptId);
}

/** When to try again after an attempt has failed. `errorCount` includes it. */
export function nextTryAt(
  attempt: Attempt,
  failure: { readonly category: RecipientCategory; readonly errorCount: number },
  now: Date,
  policy: PayoutPolicy,
): Date {
  return later(now, retryDelayMs(failure, policy), attempt.attemptId);
}

function retryDelayMs(
  failure: { readonly category: RecipientCategory; readonly errorCount: number },
  policy: PayoutPolicy,
): number {
  if (failure.category === 'recipient_error') return policy.retryRecipientErrorMs;
  if (failure.category === 'sender_error') return policy.retrySenderErrorMs;
  return doubled(policy.retryTemporaryMs, failure.errorCount - 1, policy.retryTemporaryLongestMs);
}

/** When an account that could not be verified is checked again: at the pace of temporary errors. */
export function nextCheckAt(
  failure: { readonly jitterId: string; readonly checkFailures: number },
  now: Date,
  policy: PayoutPolicy,
): Date {
  const delayMs = doubled(policy.retryTemporaryMs, failure.checkFailures - 1, policy.retryTemporaryLongestMs);
  return later(now, delayMs, failure.jitterId);
}

/** Whether nobody has heard anything of it for longer than anybody should wait. */
export function isSilent(attempt: Attempt, now: Date, policy: PayoutPolicy): boolean {
  return now.getTime() - (attempt.heardAt ?? attempt.startedAt).getTime() >= policy.stuckAfterMs;
}

function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(Math.max(times, 0), MOST_DOUBLINGS), Math.max(firstMs, longestMs));
}

function later(now: Date, delayMs: number, attemptId: string): Date {
  const share = Number.parseInt(attemptId.slice(-JITTER_DIGITS), 16) / 16 ** JITTER_DIGITS;
  return new Date(now.getTime() + Math.round(delayMs * (1 + JITTER * share)));
}
