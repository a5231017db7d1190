/**
 * What an operator's word about a recipient makes of it: tried again, paid, failed, or paid in part for good. Pure.
 * People know more than the program, so they may decide what it cannot; the books still have to agree. Open points
 * OP-159, OP-160, OP-161 and OP-221.
 */
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import { unreachable } from '../kernel/assert.ts';
import { amount } from '../money/amount.ts';
import { toDecimalString } from '../money/format.ts';
import type { PayoutAnswer } from '../providers/payout-provider.ts';
import type { Attempt } from '../recipients/attempt.ts';
import {
  type Effect,
  type End,
  endAsAsked,
  ended,
  type Hearing,
  type MoneyEffect,
  moved,
  refunded,
} from '../recipients/effects.ts';
import { hear } from '../recipients/hear.ts';
import type { PayoutPolicy } from '../recipients/pace.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { isErrorCode, PAID_REASON, reasonOf } from '../recipients/state-reason.ts';
import { isCallUnderWay } from './call-under-way.ts';
import { mayStart } from './due-at.ts';
import type { WholeTransaction } from './transaction.ts';

export type Order =
  | { readonly do: 'retry' }
  | { readonly do: 'mark_paid'; readonly evidence: string; readonly attempt?: number }
  | { readonly do: 'mark_failed'; readonly evidence: string; readonly code: string; readonly attempt?: number }
  | { readonly do: 'settle_part'; readonly evidence: string };

/** Where the recipient's part of the money is, by the books. `none`: its transaction was never funded. */
export type Part = 'none' | 'held' | 'paid_out' | 'refunded';

export interface OrderFacts {
  readonly recipient: Recipient;
  readonly transaction: WholeTransaction;
  /** Its last attempt. */
  readonly attempt: Attempt | undefined;
  /** What all attempts together have brought the recipient, in minor units of the output; null: none was paid. */
  readonly paidTotal: bigint | null;
  readonly part: Part;
  readonly isCash: boolean;
  /** The line that the audit log gets for the order. */
  readonly auditId: string;
  readonly now: Date;
  readonly policy: PayoutPolicy;
}

export type Decision =
  | { readonly ok: true; readonly effect: Effect; readonly attempt: Attempt | undefined }
  | { readonly ok: false; readonly why: OperatorRefusalCode };

const no = (why: OperatorRefusalCode): Decision => ({ ok: false, why });

export function partOf({ fundedAt }: WholeTransaction, releasedBy: string | undefined): Part {
  if (fundedAt === null) return 'none';
  if (releasedBy === undefined) return 'held';
  return releasedBy === 'refund' ? 'refunded' : 'paid_out';
}

export function decideOrder(given: OrderFacts, order: Order): Decision {
  // What the provider is saying at this moment would be decided over.
  if (isCallUnderWay(given.recipient, given.now)) return no('call_under_way');
  const facts = { ...given, recipient: { ...given.recipient, isClaimed: false } };
  switch (order.do) {
    case 'retry':
      return decideRetry(facts);
    case 'mark_paid':
      return attemptDoubt(facts, order) ?? decidePaid(facts, order.evidence);
    case 'mark_failed':
      if (!isErrorCode(order.code)) return no('code_invalid');
      return attemptDoubt(facts, order) ?? decideFailed(facts, order);
    case 'settle_part':
      return decidePart(facts, order.evidence);
    default:
      return unreachable(order);
  }
}

/**
 * Evidence is about one attempt. Who speaks of an earlier one would have the money of the last one sent again, or would
 * hide that both were paid; so where there were several, it has to be said which is meant.
 */
function attemptDoubt(
  { attempt }: OrderFacts,
  { attempt: meant }: { readonly attempt?: number },
): Decision | undefined {
  if (attempt === undefined) return undefined;
  if (meant === undefined) return attempt.number === 1 ? undefined : no('attempt_needed');
  return attempt.number === meant ? undefined : no('attempt_superseded');
}

/**
 * One more attempt, now. The errors before it still count, so that a manual one which fails again is manual at once.
 */
function decideRetry({ recipient, transaction, attempt, now }: OrderFacts): Decision {
  if (recipient.state !== 'error' && recipient.state !== 'manual') return no('not_retriable');
  if (!mayStart(transaction)) return no('transaction_waits');
  return { ok: true, effect: { recipient: { ...recipient, nextAttemptAt: now }, money: [], events: [] }, attempt };
}

function decidePaid(facts: OrderFacts, evidence: string): Decision {
  const { recipient, attempt } = facts;
  if (attempt === undefined) return no('not_markable');
  switch (recipient.state) {
    case 'pending':
    case 'stuck':
    case 'error':
    case 'manual':
      return heardFrom(hearingOf(facts, attempt, { kind: 'paid' }, evidence));
    case 'exception':
      return settlePaid(facts, attempt, evidence);
    default:
      return no('not_markable');
  }
}

/**
 * The recipient has the whole amount: nothing of what is still held was posted before, so that all of it is now. What
 * had left the books for it stays as it was posted: the balance is not debited again.
 */
function settlePaid(facts: OrderFacts, attempt: Attempt, evidence: string): Decision {
  const { recipient, part } = facts;
  if (part === 'none') return no('part_not_held');
  const others = (facts.paidTotal ?? 0n) - (attempt.paidAmount ?? 0n);
  const rest = recipient.outputAmount - others;
  // What its provider said stays; an attempt of which nothing was known has brought what the others did not.
  const paidAmount = attempt.paidAmount ?? (rest > 0n ? rest : null);
  const excess = (paidAmount ?? 0n) - rest;
  const money: readonly MoneyEffect[] = part === 'held' ? wholePayment(excess) : [];
  const hearing = hearingOf(facts, attempt, { kind: 'paid' }, evidence);
  return {
    ok: true,
    effect: {
      recipient: {
        ...moved(recipient, 'settle_paid'),
        stateReason: null,
        stateReasonDetails: PAID_REASON.details,
        nextAttemptAt: null,
      },
      money,
      events: [],
    },
    attempt: paidAmount === null ? attempt : ended(hearing, 'paid', { paidAmount, code: PAID_REASON.details.code }),
  };
}

/** `excess`: what attempts have brought beyond the whole amount. */
function wholePayment(excess: bigint): readonly MoneyEffect[] {
  const paid: MoneyEffect = { entry: 'pay_out' };
  return excess > 0n ? [paid, { entry: 'overpaid_excess', minor: excess }] : [paid];
}

function decideFailed(facts: OrderFacts, { evidence, code }: Extract<Order, { do: 'mark_failed' }>): Decision {
  const { recipient, attempt } = facts;
  if (attempt === undefined) return no('not_markable');
  const hearing = hearingOf(facts, attempt, { kind: 'failed', code }, evidence);
  if (recipient.state === 'pending' || recipient.state === 'stuck') return heardFrom(hearing);
  if (recipient.state !== 'exception') return no('not_markable');
  if (facts.part !== 'held') return no('part_not_held');
  // Tried again, or refunded, it would be paid once and a bit.
  if (facts.paidTotal !== null) return no('part_paid');
  const { text, details } = reasonOf(code);
  const failed = { ...recipient, stateReason: text, stateReasonDetails: details, nextAttemptAt: null };
  return {
    ok: true,
    // A cancellation that was remembered is completed now, as it is when a provider says that it failed.
    effect:
      recipient.cancelRequestedAt === null
        ? { recipient: moved({ ...failed, updateRequested: false }, 'hand_back'), money: [], events: [] }
        : refunded(failed, 'give_back', endAsAsked(facts)),
    attempt: ended(hearing, 'failed', { paidAmount: null, code }),
  };
}

/** No more will be paid than was: that stays with the recipient, and the rest of what is held goes back. */
function decidePart(facts: OrderFacts, evidence: string): Decision {
  const { recipient, attempt, part, paidTotal } = facts;
  if (recipient.state !== 'exception' || attempt === undefined) return no('no_part_paid');
  if (part !== 'held') return no('part_not_held');
  if (paidTotal === null || paidTotal >= recipient.outputAmount) return no('no_part_paid');
  const paid = amount(paidTotal, recipient.outputCurrency);
  const stateReason = `Only ${toDecimalString(paid)} ${paid.currency} were paid to the recipient; the rest was refunded.`;
  const hearing = hearingOf(facts, attempt, { kind: 'failed', code: UNPAID_CODE }, evidence);
  return {
    ok: true,
    effect: {
      ...refunded({ ...recipient, stateReason, stateReasonDetails: null }, 'give_back', endBy(facts)),
      money: [{ entry: 'settle_part', minor: paidTotal }],
    },
    // Nothing was known of the last one: by the same evidence it brought nothing.
    attempt:
      attempt.outcome === null
        ? ended(hearing, 'failed', { paidAmount: null, code: UNPAID_CODE })
        : { ...attempt, evidence },
  };
}

/** Published: a temporary error, which says nothing about the recipient. */
const UNPAID_CODE = '3';

/**
 * Refunded without a further word only where it is known that the last attempt failed, that none before it was paid,
 * not even in part, and where the money is still there.
 */
export function decideGiveBack(facts: OrderFacts): Decision {
  const { recipient, attempt, paidTotal, part } = facts;
  if (part !== 'held') return no('part_not_held');
  if (paidTotal !== null) return no('part_paid');
  if (attempt?.outcome !== 'failed') return no('evidence_needed');
  return { ok: true, effect: refunded(recipient, 'give_back', endBy(facts)), attempt };
}

/** Whoever may have asked for it before: it is the operator who decides. */
function endBy({ auditId, now }: OrderFacts): End {
  return { canceledBy: 'operator', cancelAuditId: auditId, endedAt: now };
}

function heardFrom(hearing: Hearing): Decision {
  const { attempt, ...effect } = hear(hearing);
  return { ok: true, effect, attempt };
}

function hearingOf(facts: OrderFacts, attempt: Attempt, answer: PayoutAnswer, evidence: string): Hearing {
  const { recipient, isCash, now, policy } = facts;
  return { recipient, attempt, answer, by: 'operator', evidence, isCash, now, sureNow: now, policy };
}
