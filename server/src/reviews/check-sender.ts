/**
 * One sender's check: asks the lists, decides, and says what is to be written. Pure but for the ids. A sender that the
 * screening breaks on is put off and logged, so that it cannot hold up those behind it.
 */
import type { KycKind } from '../accounts/account.ts';
import type { Context } from '../context.ts';
import { putOffFrom } from '../kernel/put-off.ts';
import type { SenderScreening } from '../screening/sender-screening.ts';
import { type ClearedHit, type SenderOutcome, type SenderUnderCheck, withEvent } from '../senders/checks.ts';
import type { DueReason, Sender } from '../senders/sender.ts';
import { awaitsLists, isScreened, isScreenedState } from '../senders/when-checked.ts';
import { type CheckDecision, decideCheck } from './decide-check.ts';
import { judgeHits, keptHits, openHits } from './judge-hits.ts';
import type { JudgedHit, Review, SenderCheck } from './review.ts';
import { subjectsOf } from './subjects.ts';

type CheckContext = Pick<Context, 'ids' | 'settings' | 'log'>;

interface CheckInput extends SenderUnderCheck {
  readonly kyc: KycKind;
  /** The open one. */
  readonly review: Review | undefined;
  readonly screening: SenderScreening;
  readonly now: Date;
}

export interface Checked extends SenderOutcome {
  readonly check?: SenderCheck;
  readonly opened?: Review;
  readonly updated?: Review;
  /** Its transactions have to follow. */
  readonly isFollowed: boolean;
}

const FOLLOWED: readonly DueReason[] = ['edited', 'disabled'];

export function checkSender(ctx: CheckContext, input: CheckInput): Checked {
  const said = ask(ctx, input);
  return said === undefined ? putOff(input) : concluded(ctx, input, said);
}

interface Said {
  /** Empty: this sender is not screened. */
  readonly version: string;
  readonly hits: readonly JudgedHit[];
}

/** Undefined: the screening broke. */
function ask(ctx: CheckContext, { sender, kyc, screening, cleared }: CheckInput): Said | undefined {
  const isAsked = isScreenedState(sender.state) || awaitsLists(sender);
  if (!isAsked || !isScreened(kyc, ctx.settings.senders)) return { version: '', hits: [] };
  try {
    const hits = subjectsOf(sender).flatMap((subject) => screening.screen(subject));
    return { version: screening.version(), hits: judgeHits(hits, stillCleared(sender, cleared)) };
  } catch (fault) {
    const ids = { account_id: sender.accountId, sender_id: sender.senderId };
    ctx.log.error('screening a sender failed; it is tried again later', ids, fault);
    return undefined;
  }
}

/** What an operator cleared was cleared for the sender as it was. */
function stillCleared({ due }: Sender, cleared: readonly ClearedHit[]): readonly ClearedHit[] {
  return due === null || due.for === 'lists' ? cleared : [];
}

function putOff({ sender, now }: CheckInput): Checked {
  const due = { at: putOffFrom(now), for: sender.due?.for ?? 'lists' } as const;
  const after = { ...sender, due };
  return { before: sender, after, event: undefined, screened: undefined, cleared: undefined, isFollowed: false };
}

function concluded(ctx: CheckContext, input: CheckInput, said: Said): Checked {
  const { sender, kyc, review, now } = input;
  const reason = sender.due?.for ?? 'lists';
  const isNamed = openHits(said.hits).length > 0;
  const kept = isScreenedState(sender.state) ? keptHits(review, reason) : [];
  const decision = decideCheck({ sender, kyc, isNamed: isNamed || kept.length > 0 });
  const after = withEvent(settled(sender, decision.after, now), decision.event);
  const isWorthKeeping = reason !== 'disabled' && (reason !== 'lists' || isNamed);
  const cleared = stillCleared(sender, input.cleared);
  const wasApproved = sender.state === 'approved';
  return {
    before: sender,
    after,
    event: decision.event,
    screened: said.version === '' ? undefined : { version: said.version, at: now },
    cleared: cleared.length === input.cleared.length ? undefined : cleared,
    ...(isWorthKeeping && { check: { ...recordOf(ctx, input, after, said), reason } }),
    ...reviewChange(ctx, input, decision, { ...said, hits: [...said.hits, ...kept] }),
    // An edit or a deletion has moved the sender before; some wait for the check alone.
    isFollowed: wasApproved !== (after.state === 'approved') || FOLLOWED.includes(reason) || awaitsLists(sender),
  };
}

/** Without its work, and changed only where something did: an approval holds for a sender that has not changed. */
function settled(before: Sender, after: Sender, now: Date): Sender {
  if (before.state !== after.state || before.stateReason !== after.stateReason) {
    return { ...after, due: null, updatedAt: now };
  }
  return before.due === null ? before : { ...after, due: null };
}

function recordOf(
  { ids }: CheckContext,
  { sender, now }: CheckInput,
  after: Sender,
  { version, hits }: Said,
): Omit<SenderCheck, 'reason'> {
  const { accountId, senderId, state: from } = sender;
  const key = { accountId, senderId, checkId: ids.next() };
  return { ...key, at: now, listVersion: version, subjects: subjectsOf(sender), hits, from, to: after.state };
}

function reviewChange(
  { ids }: CheckContext,
  { sender, review, now }: CheckInput,
  { review: wish }: CheckDecision,
  { version, hits }: Said,
): Pick<Checked, 'opened' | 'updated'> {
  if (wish.do === 'nothing') return {};
  if (wish.do === 'close') {
    if (review === undefined) return {};
    return { updated: { ...review, closing: { at: now, by: null, reason: null, outcome: wish.outcome } } };
  }
  const said = { reason: wish.reason, listVersion: version, hits };
  if (review === undefined) {
    const { accountId, senderId } = sender;
    const open = { openedAt: now, approval: null, closing: null };
    return { opened: { accountId, senderId, reviewId: ids.next(), ...said, ...open } };
  }
  // The first of two operators did not see what the lists say now.
  const isSame = JSON.stringify(review.hits) === JSON.stringify(hits);
  return { updated: { ...review, ...said, approval: isSame ? review.approval : null } };
}

export function outcomeOf({ before, after, event, screened, cleared }: Checked): SenderOutcome {
  return { before, after, event, screened, cleared };
}
