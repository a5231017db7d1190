/**
 * When a provider is asked again, and when a recipient is tried again. The same attempt always gets the same time.
 * Open points OP-95 and OP-96.
 */
import { doubledMs, later } from '../kernel/delay.ts';
import type { Settings } from '../settings/shape.ts';
import type { Attempt } from './attempt.ts';
import type { RecipientCategory } from './error-codes.ts';

export type PayoutPolicy = Settings['payouts'];

/** When to ask about an attempt that is under way. */
export function nextAskAt(attempt: Attempt, now: Date, policy: PayoutPolicy): Date {
  return later(now, doubledMs(policy.askFirstMs, attempt.asks, policy.askLongestMs), attempt.attemptId);
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
  return doubledMs(policy.retryTemporaryMs, failure.errorCount - 1, policy.retryTemporaryLongestMs);
}

/** When an account that could not be verified is checked again: at the pace of temporary errors. */
export function nextCheckAt(
  failure: { readonly jitterId: string; readonly checkFailures: number },
  now: Date,
  policy: PayoutPolicy,
): Date {
  const delayMs = doubledMs(policy.retryTemporaryMs, failure.checkFailures - 1, policy.retryTemporaryLongestMs);
  return later(now, delayMs, failure.jitterId);
}

/**
 * While no provider takes an order it is looked at at least and at most so often, and between by a share of its wait.
 */
const FIRST_LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 300_000;
const SHARE_OF_WAIT = 1 / 60;

/**
 * When to look again for a provider that takes the order. The longer it has waited the less often: of a provider that
 * is away for hours, thousands wait, and each look writes.
 */
export function nextLookAt({ id, since }: { readonly id: string; readonly since: Date }, now: Date): Date {
  const shareMs = (now.getTime() - since.getTime()) * SHARE_OF_WAIT;
  return later(now, Math.min(Math.max(shareMs, FIRST_LOOK_MS), LONGEST_LOOK_MS), id);
}

/** Whether nobody has heard anything of it for longer than anybody should wait. */
export function isSilent(attempt: Attempt, now: Date, policy: PayoutPolicy): boolean {
  return now.getTime() - (attempt.heardAt ?? attempt.startedAt).getTime() >= policy.stuckAfterMs;
}
