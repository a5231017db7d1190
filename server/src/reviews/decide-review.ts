/**
 * What an operator's decision makes of a sender. Pure. Refuses with not_in_review, edited_since, check_due,
 * second_person_needed (approve), not_rejectable, not_bannable, not_liftable. A reason is always given, kept, and never
 * shown to the caller. Spec: Sender states. Open points OP-32, OP-103, OP-182 and OP-183.
 */
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import { unreachable } from '../kernel/assert.ts';
import type { ClearedHit } from '../senders/checks.ts';
import type { SenderEvent } from '../senders/events.ts';
import type { Sender } from '../senders/sender.ts';
import { BANNED, REJECTED, UNDER_REVIEW } from '../senders/state-reasons.ts';
import { type SenderMove, senderTable } from '../senders/states.ts';
import { moved } from './decide-check.ts';
import { clearHits } from './judge-hits.ts';
import type { Closing, FirstApproval, Review, ReviewOutcome } from './review.ts';
import { versionOfSender } from './shown-version.ts';

export const DECISIONS = ['approve', 'reject', 'ban', 'lift'] as const;
export type DecisionName = (typeof DECISIONS)[number];

interface ReviewFacts {
  readonly sender: Sender;
  readonly cleared: readonly ClearedHit[];
  /** The open one. */
  readonly review: Review | undefined;
  readonly operator: string;
  readonly reason: string;
  /** What the operator looked at (shown-version.ts); undefined: it is not compared. */
  readonly asOf?: string | undefined;
  readonly twoPersons: boolean;
  readonly now: Date;
}

type ReviewDecision =
  | { readonly ok: false; readonly why: OperatorRefusalCode }
  | {
      readonly ok: true;
      readonly after: Sender;
      readonly event?: SenderEvent;
      readonly cleared?: readonly ClearedHit[];
      /** What the open review gets, where there is one. */
      readonly closing?: Closing;
      readonly approval?: FirstApproval;
    };

export function decideReview(what: DecisionName, facts: ReviewFacts): ReviewDecision {
  switch (what) {
    case 'approve':
      return approve(facts);
    case 'reject':
      return shutOut(facts, { move: 'reject', outcome: 'rejected', stateReason: REJECTED, why: 'not_rejectable' });
    case 'ban':
      return shutOut(facts, { move: 'ban', outcome: 'banned', stateReason: BANNED, why: 'not_bannable' });
    case 'lift':
      return lift(facts);
    default:
      return unreachable(what);
  }
}

function approve(facts: ReviewFacts): ReviewDecision {
  const { sender, review, operator, now, reason } = facts;
  if (sender.state !== 'initial' && sender.state !== 'verified') return { ok: false, why: 'not_in_review' };
  if (facts.asOf !== undefined && facts.asOf !== versionOfSender(sender, review)) {
    return { ok: false, why: 'edited_since' };
  }
  // What the operator saw may not be what the lists say of the sender as it is now.
  if (sender.due !== null) return { ok: false, why: 'check_due' };
  if (review === undefined) return { ok: false, why: 'not_in_review' };
  const first = approvalOf(review, sender);
  if (facts.twoPersons && first?.by === operator) return { ok: false, why: 'second_person_needed' };
  if (facts.twoPersons && first === undefined) {
    return { ok: true, after: sender, approval: { by: operator, at: now, reason, asOf: sender.updatedAt } };
  }
  const verified = sender.state === 'initial' ? moved(sender, 'verify') : sender;
  return {
    ok: true,
    after: { ...moved(verified, 'approve'), stateReason: null, updatedAt: now },
    event: 'sender.approved',
    cleared: clearHits(facts.cleared, review.hits),
    closing: closingOf(facts, 'approved'),
  };
}

/** The first approval, if it is one of the sender as it is now. */
export function approvalOf({ approval }: Review, { updatedAt }: Pick<Sender, 'updatedAt'>): FirstApproval | undefined {
  return approval !== null && approval.asOf.getTime() === updatedAt.getTime() ? approval : undefined;
}

function shutOut(
  facts: ReviewFacts,
  how: { move: SenderMove; outcome: ReviewOutcome; stateReason: string; why: OperatorRefusalCode },
): ReviewDecision {
  const { sender, now } = facts;
  const state = senderTable.move(sender.state, how.move);
  if (state === undefined) return { ok: false, why: how.why };
  const after = { ...sender, state, stateReason: how.stateReason, due: null, updatedAt: now };
  return { ok: true, after, event: 'sender.rejected', closing: closingOf(facts, how.outcome) };
}

/** Nothing of what was decided before holds any more: all checks run as if the sender were new. */
function lift({ sender, now }: ReviewFacts): ReviewDecision {
  const state = senderTable.move(sender.state, 'lift');
  if (state === undefined) return { ok: false, why: 'not_liftable' };
  const due = { at: now, for: 'lifted' } as const;
  return { ok: true, after: { ...sender, state, stateReason: UNDER_REVIEW, due, updatedAt: now }, cleared: [] };
}

function closingOf({ now, operator, reason }: ReviewFacts, outcome: ReviewOutcome): Closing {
  return { at: now, by: operator, reason, outcome };
}
