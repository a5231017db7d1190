/**
 * When a payin provider is asked again, and when a payer is prompted again. No chance in here: the jitter comes from the
 * id of the prompt, so that the same prompt always gets the same time. Open point OP-174.
 */
import type { Settings } from '../settings/shape.ts';
import type { PayinAttempt } from './attempt.ts';

export type PayinPolicy = Settings['payins'];

/** Spread over a tenth of the delay, so that what began together does not come back together. */
const JITTER = 0.1;
const JITTER_DIGITS = 8;
/** Doubling stops here, long after the longest time is reached. */
const MOST_DOUBLINGS = 30;

/** When to ask about an open prompt. */
export function nextAskAt({ asks, attemptId }: PayinAttempt, now: Date, policy: PayinPolicy): Date {
  const delayMs = policy.askFirstMs * 2 ** Math.min(asks, MOST_DOUBLINGS);
  return later(now, Math.min(delayMs, Math.max(policy.askFirstMs, policy.askLongestMs)), attemptId);
}

/** When to prompt again after a temporary error. */
export function nextPromptAt({ attemptId }: PayinAttempt, now: Date, policy: PayinPolicy): Date {
  return later(now, policy.retryTemporaryMs, attemptId);
}

function later(now: Date, delayMs: number, attemptId: string): Date {
  const share = Number.parseInt(attemptId.slice(-JITTER_DIGITS), 16) / 16 ** JITTER_DIGITS;
  return new Date(now.getTime() + Math.round(delayMs * (1 + JITTER * share)));
}
