/**
 * What is to be done for a recipient now: nothing yet, a new attempt, or a question about the running one. Pure. An
 * attempt that is open is asked about and never followed by another: the next one is made only after a failure.
 */
import type { Attempt } from './attempt.ts';
import { isRetriable } from './error-codes.ts';
import type { Recipient } from './recipient.ts';

export type Plan =
  | { readonly do: 'nothing' }
  /** No provider takes orders now: look again later. Nothing has happened to the recipient. */
  | { readonly do: 'wait' }
  /** Look the account up first. Nothing is sent to a provider before it has passed. */
  | { readonly do: 'check' }
  | { readonly do: 'submit'; readonly provider: string }
  | {
      readonly do: 'ask';
      /**
       * An order that the provider does not know is sent again, under the same reference; not while it is held back.
       */
      readonly mayResend: boolean;
      /** Cash: first take the order back. */
      readonly cancel: boolean;
      /** Cash: first tell the provider of edited details. */
      readonly update: boolean;
    };

/** Undefined: no provider takes orders now. */
export type Choice = { readonly provider: string } | undefined;

export interface PlanFacts {
  readonly recipient: Recipient;
  /** Its last attempt. */
  readonly attempt: Attempt | undefined;
  readonly isCash: boolean;
  /** The transaction is funded and nobody holds it back. */
  readonly mayStart: boolean;
  /** Its account is to be checked, and has not passed yet. */
  readonly needsCheck: boolean;
  readonly now: Date;
  /** Picks a provider; told which one to leave out, because it has just failed for reasons of its own. */
  readonly choose: (failedAt: string | undefined) => Choice;
}

/** From when on something is to be done; null: nothing is. */
export function dueOf(recipient: Recipient, funded: { mayStart: boolean; fundedAt: Date }): Date | null {
  switch (recipient.state) {
    case 'initial':
      return funded.mayStart ? (recipient.nextAttemptAt ?? funded.fundedAt) : null;
    case 'error':
    case 'manual':
      return funded.mayStart ? recipient.nextAttemptAt : null;
    default:
      return recipient.nextAttemptAt;
  }
}

export function planRecipient({ recipient, attempt, isCash, mayStart, needsCheck, now, choose }: PlanFacts): Plan {
  const due = dueOf(recipient, { mayStart, fundedAt: now });
  if (due === null || due > now) return { do: 'nothing' };
  const isPending = recipient.state === 'pending';
  // One that went silent can be told and taken back as soon as its provider answers again.
  const isAtCounter = isCash && (isPending || recipient.state === 'stuck');
  const isCanceling = recipient.cancelRequestedAt !== null;
  if (attempt !== undefined && attempt.outcome === null) {
    return {
      do: 'ask',
      mayResend: isPending && !isCanceling && mayStart,
      cancel: isAtCounter && isCanceling,
      update: isAtCounter && recipient.updateRequested,
    };
  }
  if (attempt?.newsAt && attempt.newsAt <= now) return { do: 'ask', mayResend: false, cancel: false, update: false };
  if (!mayStart || !['initial', 'error', 'manual'].includes(recipient.state)) return { do: 'nothing' };
  if (needsCheck) return { do: 'check' };
  const category = recipient.stateReasonDetails?.category;
  const failedThere = attempt !== undefined && category !== undefined && isRetriable(category);
  const choice = choose(failedThere ? attempt.provider : undefined);
  return choice === undefined ? { do: 'wait' } : { do: 'submit', provider: choice.provider };
}
