/**
 * What a recipient waits for, from what is stored and from who takes orders now. It goes by the plan that workers go by
 * (plan-payout.ts), made for the time at which the recipient is next looked at. Pure.
 */
import type { PayoutCorridor } from '../corridors/corridor.ts';
import { type Hold, isBarred } from '../holds/hold.ts';
import { unreachable } from '../kernel/assert.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { chooseTaker, type Taker } from '../providers/takers.ts';
import type { Attempt } from '../recipients/attempt.ts';
import type { PayoutPolicy } from '../recipients/pace.ts';
import { dueOf, type Plan } from '../recipients/plan.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { Sender } from '../senders/sender.ts';
import { awaitsLists } from '../senders/when-checked.ts';
import { isCallUnderWay } from './call-under-way.ts';
import { autoRefundAt, isOpen, isSent, isStarting } from './due-at.ts';
import { planPayout } from './plan-payout.ts';
import type { WholeTransaction } from './transaction.ts';

/** `at`: when something happens to it next, or should have; null: nobody knows. */
export type Wait = { readonly at: Date | null } & (
  | { readonly what: 'retry' }
  /** Its transaction has no money yet. `at`: until when it takes some. */
  | { readonly what: 'funding' }
  /** A collection: the payment, its confirmation, or what may still be added to it. */
  | { readonly what: 'payer'; readonly step: 'payment' | 'confirmation' | 'more' }
  | { readonly what: 'sender'; readonly sender: Pick<Sender, 'senderId' | 'state' | 'due'> }
  | { readonly what: 'review'; readonly holds: readonly Hold[]; readonly sender: Pick<Sender, 'senderId' | 'state'> }
  | { readonly what: 'account_check'; readonly isUnderWay: boolean }
  /** It was sent there. `news`: that one has failed, and its provider has announced that it will say more. */
  | { readonly what: 'provider'; readonly provider: string; readonly step: ProviderStep }
  /** None of them takes it. */
  | { readonly what: 'providers'; readonly payoutType: string; readonly takers: readonly Taker[] }
  /**
   * Nobody tries again unless its caller edits or cancels it, or lets its payer be prompted again. `at`: when it is
   * refunded by itself, or its collection canceled.
   */
  | { readonly what: 'caller'; readonly about: 'payout' | 'prompt' }
  | { readonly what: 'refund'; readonly isSettling: boolean }
  | { readonly what: 'people'; readonly why: WhyPeople; readonly provider: string | null }
  /** Nothing but a worker that takes it. */
  | { readonly what: 'turn'; readonly wasUnwanted: boolean; readonly provider: string | null }
);

type ProviderStep = 'call' | 'answer' | 'cancel' | 'news';
/**
 * Beside the states of the recipient: the transaction is broken, work on it breaks, its payout type is gone, a payment
 * of its payer is in suspense.
 */
type WhyPeople = 'manual' | 'stuck' | 'exception' | 'transaction' | 'put_off' | 'type_gone' | 'suspense';

export interface WaitFacts {
  readonly transaction: WholeTransaction;
  readonly recipient: Recipient;
  /** Its last attempt. */
  readonly attempt: Attempt | undefined;
  /** All that ever held the transaction. */
  readonly holds: readonly Hold[];
  /** Work on the transaction broke, and is tried again now and then (claim-apart.ts). */
  readonly isPutOff: boolean;
  /** A payment into its collection is in suspense, and nobody has decided on it. */
  readonly hasSuspense: boolean;
  /** Undefined: its type has gone from the catalogue. */
  readonly corridor: PayoutCorridor | undefined;
  /** Who pays its type, as the process sees it that tells. */
  readonly takers: readonly Taker[];
  readonly policy: PayoutPolicy;
  readonly now: Date;
}

/** Null: for nothing, it is at its end. */
export function waitsFor(facts: WaitFacts): Wait | null {
  const { transaction, recipient, corridor, isPutOff } = facts;
  if (recipient.state === 'exception') return people('exception', facts);
  if (!isOpen(recipient)) return null;
  if (isPutOff) return people('put_off', facts);
  if (transaction.fundedAt === null) return unfunded(facts);
  if (transaction.isCollection) return collected(facts, transaction.fundedAt);
  // Whoever works on the transaction breaks on it.
  if (corridor === undefined) return people('type_gone', facts);
  return funded(facts, { corridor, fundedAt: transaction.fundedAt });
}

/** Its hour is running, or over: then the next look at it cancels it. */
function unfunded(facts: WaitFacts): Wait {
  const { state, sender, isCollection, expiresAt } = facts.transaction;
  if (state === 'exception') return people('transaction', facts);
  if (state === 'pending') return { what: 'payer', step: 'confirmation', at: null };
  if (expiresAt <= facts.now) return turn(expiresAt);
  if (state === 'initial') return { what: 'sender', sender, at: expiresAt };
  return isCollection ? unpaid(facts, expiresAt) : { what: 'funding', at: expiresAt };
}

function unpaid(facts: WaitFacts, at: Date): Wait {
  if (facts.hasSuspense) return { ...people('suspense', facts), at };
  const { payinMethods } = facts.transaction;
  const hasFailed = payinMethods.some(({ state }) => state === 'error');
  if (hasFailed && !payinMethods.some(isPromptedStill)) return { what: 'caller', about: 'prompt', at };
  return { what: 'payer', step: 'payment', at };
}

/** Its payer has a prompt, or gets one without anybody's doing: after a temporary error (schedule-payin.ts). */
function isPromptedStill({ state, nextAttemptAt }: PayinMethod): boolean {
  return state === 'error' ? nextAttemptAt !== null : state !== 'canceled';
}

/** Paid into the balance as soon as nothing holds it back, and nothing more may come in (pay-balance.ts). */
function collected(facts: WaitFacts, fundedAt: Date): Wait {
  const due = dueOf(facts.recipient, { mayStart: true, fundedAt }) ?? fundedAt;
  return heldBack(facts) ?? (due > facts.now ? { what: 'payer', step: 'more', at: due } : turn(due));
}

function funded(facts: WaitFacts, { corridor, fundedAt }: { corridor: PayoutCorridor; fundedAt: Date }): Wait {
  const { transaction, recipient, attempt, takers, now } = facts;
  const due = dueOf(recipient, { mayStart: true, fundedAt });
  const choose = (failedAt: string | undefined) => {
    const provider = chooseTaker(takers, failedAt);
    return provider === undefined ? undefined : { provider };
  };
  const at = due !== null && due > now ? due : now;
  const { plan } = planPayout({ ...facts, corridor, at, choose });
  const refundAt = autoRefundAt(transaction, facts.policy);
  const isOver = refundAt !== null && refundAt <= now;
  if (isSent(recipient) && attempt !== undefined) return asked(facts, attempt, isOver);
  if (isOver) return { what: 'refund', isSettling: transaction.recipients.some(isSent), at: refundAt };
  if (plan.do === 'ask' && attempt !== undefined) return announced(facts, attempt);
  return planned(facts, plan, due ?? now);
}

function asked(facts: WaitFacts, attempt: Attempt, isOver: boolean): Wait {
  const { recipient, now } = facts;
  const { state, nextAttemptAt: at, cancelRequestedAt } = recipient;
  if (state === 'stuck') return people('stuck', facts);
  const { provider } = attempt;
  if (cancelRequestedAt !== null || isOver) return { what: 'provider', provider, step: 'cancel', at };
  return { what: 'provider', provider, step: isCallUnderWay(recipient, now) ? 'call' : 'answer', at };
}

/** Its provider has more to say about an attempt that has failed. */
function announced(facts: WaitFacts, { provider }: Attempt): Wait {
  const { state, nextAttemptAt: at } = facts.recipient;
  return state === 'manual' ? people('manual', facts) : { what: 'provider', provider, step: 'news', at };
}

function planned(facts: WaitFacts, plan: Plan, due: Date): Wait {
  const { recipient, takers, now } = facts;
  switch (plan.do) {
    case 'ask':
    case 'nothing':
      return heldBack(facts) ?? (recipient.state === 'manual' ? people('manual', facts) : editedOrRefunded(facts));
    case 'check':
      return { what: 'account_check', isUnderWay: recipient.checkId !== null && due > now, at: due };
    case 'wait':
      return { what: 'providers', payoutType: recipient.payoutType, takers, at: due };
    case 'submit':
      if (due <= now) return turn(due);
      if (recipient.state !== 'initial') return { what: 'retry', at: due };
      // One that was never tried is put off for no other reason: who looked last had nobody to give it to.
      return { what: 'turn', wasUnwanted: true, provider: plan.provider, at: due };
    default:
      return unreachable(plan);
  }
}

function editedOrRefunded({ transaction, policy }: WaitFacts): Wait {
  return { what: 'caller', about: 'payout', at: autoRefundAt(transaction, policy) };
}

/** Why nothing new may be sent; undefined: it may. */
function heldBack(facts: WaitFacts): Wait | undefined {
  const { transaction, holds } = facts;
  const { sender, state, isCollection } = transaction;
  if (state === 'processing') {
    return { what: 'review', holds: holds.filter(({ decision }) => !decision), sender, at: null };
  }
  if (!isStarting(transaction)) return people('transaction', facts);
  // What was collected is held because of its sender, or paid: see hold-desk.ts.
  const isSenderDoubted = awaitsLists(sender) || (!isCollection && isBarred(sender));
  return isSenderDoubted ? { what: 'sender', sender, at: null } : undefined;
}

function people(why: WhyPeople, { attempt, recipient }: WaitFacts): Wait {
  // Its provider is asked on.
  const at = why === 'stuck' ? recipient.nextAttemptAt : null;
  return { what: 'people', why, provider: attempt?.provider ?? null, at };
}

function turn(at: Date): Wait {
  return { what: 'turn', wasUnwanted: false, provider: null, at };
}
