/**
 * When a delivery that failed is tried again, and what becomes of it: pure. Five further attempts, spread by chance so
 * that a receiver that comes back is not met by all at once. Spec: Events (3), Limits. Open points OP-68 and OP-97.
 */
import { assert, present, unreachable } from '../kernel/assert.ts';
import { WEBHOOK_RETRIES } from '../kernel/limits.ts';
import { parseDuration } from '../settings/duration.ts';
import type { AttemptOutcome, NextStep } from './delivery.ts';

export interface Schedule {
  /** The pause after the first attempt, after the second, and so on. */
  readonly delaysMs: readonly number[];
  /** Each pause is made longer by up to this share of it. */
  readonly jitterShare: number;
}

export function scheduleOf(settings: {
  readonly retryDelays: readonly string[];
  readonly jitterPercent: number;
}): Schedule {
  const delaysMs = settings.retryDelays.map((text) => present(parseDuration(text), 'a duration'));
  assert(delaysMs.length === WEBHOOK_RETRIES, 'there is one pause for each retry');
  return { delaysMs, jitterShare: settings.jitterPercent / 100 };
}

/** `attempts` counts this one too. `chance` is at least 0 and below 1. */
export function decideNext(
  outcome: AttemptOutcome,
  { attempts, at, chance }: { readonly attempts: number; readonly at: Date; readonly chance: number },
  { delaysMs, jitterShare }: Schedule,
): NextStep {
  if (isDelivered(outcome)) return { state: 'delivered', reason: null, nextAttemptAt: null };
  const reason = reasonOf(outcome);
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return { state: 'dropped', reason, nextAttemptAt: null };
  const nextAttemptAt = new Date(at.getTime() + Math.round(delayMs * (1 + jitterShare * chance)));
  return { state: 'waiting', reason, nextAttemptAt };
}

/** Any 2xx. A redirect is not followed and is no success. */
export function isDelivered(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
}

/** For people: the account reads it in its logs. */
export function reasonOf(outcome: AttemptOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return `answered ${outcome.status}`;
    case 'timed_out':
      return 'timed out';
    case 'refused_address':
    case 'failed':
    case 'not_sent':
    case 'not_signed':
      return outcome.why;
    default:
      return unreachable(outcome);
  }
}
