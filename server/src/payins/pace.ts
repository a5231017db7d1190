/**
 * When a payin provider is asked again, and when a payer is prompted again. The same prompt always gets the same time.
 * Open point OP-174.
 */
import { doubledMs, later } from '../kernel/delay.ts';
import type { Settings } from '../settings/shape.ts';
import type { PayinAttempt } from './attempt.ts';

export type PayinPolicy = Settings['payins'];

/** When to ask about an open prompt. */
export function nextAskAt({ asks, attemptId }: PayinAttempt, now: Date, policy: PayinPolicy): Date {
  return later(now, doubledMs(policy.askFirstMs, asks, policy.askLongestMs), attemptId);
}

/**
 * When to prompt again after a temporary error. Counted from the end of the prompt: whoever tells of that again, as
 * callbacks do, does not put the next one off.
 */
export function nextPromptAt({ attemptId, endedAt }: PayinAttempt, now: Date, policy: PayinPolicy): Date {
  return later(endedAt ?? now, policy.retryTemporaryMs, attemptId);
}
