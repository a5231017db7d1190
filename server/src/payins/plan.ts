/**
 * What is to be done for a payin method now: nothing yet, a prompt, or a call about the one that is open. Pure. An open
 * prompt is asked about and never followed by another: the next one is made only after a failure.
 */
import type { PayinAttempt } from './attempt.ts';
import type { PayinMethod } from './payin-method.ts';
import type { PayinMethodState } from './states.ts';

type PayinPlan =
  | { readonly do: 'nothing' }
  /** Nobody collects this type now: look again later. */
  | { readonly do: 'wait'; readonly until: Date }
  | { readonly do: 'prompt'; readonly provider: string }
  /** `mayResend`: a prompt that the provider does not know is sent again, under the same reference. */
  | { readonly do: 'ask'; readonly mayResend: boolean }
  | { readonly do: 'give_otp' }
  | { readonly do: 'cancel' };

export type PayinChoice = { readonly provider: string } | { readonly waitUntil: Date };

interface PayinPlanFacts {
  readonly method: PayinMethod;
  /** Its last prompt. */
  readonly attempt: PayinAttempt | undefined;
  /** The state of its transaction. */
  readonly transactionState: string;
  readonly now: Date;
  /** Picks a provider; told which one to leave out, because it has just failed for reasons of its own. */
  readonly choose: (failedAt: string | undefined) => PayinChoice;
}

const STARTING: readonly PayinMethodState[] = ['initial', 'error'];

/**
 * From when on something is to be done; null: nothing is. Payers are prompted only while their money would be taken.
 */
export function dueOfPayin(method: PayinMethod, transactionState: string): Date | null {
  const { state, attemptId, nextAttemptAt, createdAt } = method;
  const isNew = state === 'initial' && attemptId === null;
  if (isNew || state === 'error') {
    if (transactionState !== 'approved') return null;
    return isNew ? (nextAttemptAt ?? createdAt) : nextAttemptAt;
  }
  return nextAttemptAt;
}

export function planPayin({ method, attempt, transactionState, now, choose }: PayinPlanFacts): PayinPlan {
  const due = dueOfPayin(method, transactionState);
  if (due === null || due > now) return { do: 'nothing' };
  if (attempt !== undefined && attempt.outcome === null) {
    if (method.cancelRequestedAt !== null) return { do: 'cancel' };
    if (method.otpGiven && method.state === 'incomplete') return { do: 'give_otp' };
    return { do: 'ask', mayResend: method.state === 'initial' && transactionState === 'approved' };
  }
  // Its provider has announced news of a prompt that has ended.
  if (attempt !== undefined && !STARTING.includes(method.state)) return { do: 'ask', mayResend: false };
  if (transactionState !== 'approved') return { do: 'nothing' };
  const failedThere = method.stateReasonDetails?.category === 'temporary_error' ? attempt?.provider : undefined;
  const choice = choose(failedThere);
  return 'provider' in choice ? { do: 'prompt', provider: choice.provider } : { do: 'wait', until: choice.waitUntil };
}
