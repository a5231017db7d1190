/**
 * Records what providers said about attempts: one batch, one commit for states, money, events and proofs. Safe to be
 * told the same thing twice and in any order, so answers, callbacks and repeated batches need no ids of their own.
 * Spec: Recipient states, Transaction states (all recipients paid), Events.
 */
import { isDeepStrictEqual } from 'node:util';
import { type AuditRow, recordAudit } from '../accounts/audit.ts';
import type { Context } from '../context.ts';
import { isCashType } from '../corridors/corridor-type.ts';
import { BrokenInvariant } from '../kernel/assert.ts';
import { sameFields } from '../kernel/same-fields.ts';
import type { PayoutAnswer } from '../providers/payout-provider.ts';
import type { Attempt, AttemptKey } from '../recipients/attempt.ts';
import { updateSentDetails } from '../recipients/attempt-store.ts';
import { type AnsweredCall, standingOf } from '../recipients/call-standing.ts';
import { believed, doubtAbout } from '../recipients/doubt.ts';
import { ended, excepted, type Heard, type Hearing } from '../recipients/effects.ts';
import { hear } from '../recipients/hear.ts';
import { announce, putsOffNoWish } from '../recipients/news.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { recipientTable } from '../recipients/states.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import { neededCheck } from './check-needed.ts';
import { contradictionIn } from './contradictions.ts';
import { newAttempt } from './decide-due.ts';
import { maySend } from './hold-facts.ts';
import { type HandedOver, keepHandedOver } from './keep-proofs.ts';
import { readLastAttempts } from './last-attempts.ts';
import { lockTransactionsAlone } from './load.ts';
import { TransactionDesk } from './transaction-desk.ts';

export interface AnswerCommand extends AttemptKey {
  readonly transactionId: string;
  readonly recipientId: string;
  readonly answer: PayoutAnswer;
  /** The call that is answered; callbacks have none, and come while one may be under way. */
  readonly call?: AnsweredCall;
  /** When the provider will have news, where it knows. */
  readonly newsAt?: Date;
  /** Where else to pay, when this provider takes no orders at all. */
  readonly failOverTo?: string;
  /** Cash: what became of the order to change the details. */
  readonly update?: 'updated' | 'refused';
  /** Cash: the details of that order. They may have been edited again since. */
  readonly sentDetails?: Recipient['payoutDetails'];
}

/** `unknown_attempt`: nothing is known by that reference, so nothing was recorded. `doubted`: it is not believed. */
export type AnswerResult = 'recorded' | 'doubted' | 'unknown_attempt';

type RecordContext = Pick<
  Context,
  'db' | 'clock' | 'sureNow' | 'ids' | 'catalogue' | 'settings' | 'log' | 'files' | 'wake'
>;

export async function recordAnswers(
  ctx: RecordContext,
  commands: readonly AnswerCommand[],
  outgoing?: Outgoing,
): Promise<AnswerResult[]> {
  const { results, desk } = await ctx.db.inTx(async (tx) => {
    const transactions = await lockTransactionsAlone(tx, commands);
    const attempts = await readLastAttempts(tx, transactions.values(), commands);
    const desk = new TransactionDesk(ctx, { transactions, attempts, now: ctx.clock.now(), outgoing });
    const notes: Notes = { contradictions: [], sent: [], doubted: new Set() };
    const results = commands.map((command) => record(ctx, desk, command, notes));
    await desk.write(tx);
    for (const row of notes.contradictions) await recordAudit(tx, row);
    await updateSentDetails(tx, notes.sent);
    const told = results.map((result, index) => (notes.doubted.has(commands[index]) ? 'doubted' : result));
    // The file of a word that is not believed proves nothing, also once another word is.
    const good = commands.filter((_, index) => told[index] === 'recorded');
    await keepHandedOver(ctx, tx, good.flatMap(handedOverWith), desk.now);
    return { results: told, desk };
  });
  desk.wake(ctx.wake);
  return results;
}

function handedOverWith({ accountId, recipientId, answer }: AnswerCommand): HandedOver[] {
  return answer.kind === 'paid' && answer.proof ? [{ accountId, recipientId, file: answer.proof }] : [];
}

/** What is written beside the desk. */
interface Notes {
  readonly contradictions: AuditRow[];
  /** Cash: details that providers have taken for running attempts. */
  readonly sent: (AttemptKey & Pick<Attempt, 'details'>)[];
  /** What was heard and is not believed, whatever else it leads to. */
  readonly doubted: Set<AnswerCommand | undefined>;
}

function record(ctx: RecordContext, desk: TransactionDesk, command: AnswerCommand, notes: Notes): AnswerResult {
  const { recipientId } = command;
  const transaction = desk.find(command);
  const recipient = transaction?.recipients.find((each) => each.recipientId === recipientId);
  const attempt = withoutSending(desk.attempt(command.attemptId), command, desk.policy);
  if (!transaction || !recipient || attempt?.recipientId !== recipientId) return 'unknown_attempt';
  const hearing = hearingOf(ctx, desk, command, recipient, attempt);
  const why = doubtAbout(hearing);
  if (why !== undefined) {
    notes.doubted.add(command);
    const ids = { account_id: command.accountId, recipient_id: recipientId };
    ctx.log.warn('an answer of a provider is not believed', { provider: attempt.provider, why, ...ids });
  }
  // While it is under review nothing is sent, to nobody; nor are details that were edited meanwhile and not checked
  // yet.
  const corridor = ctx.catalogue.payout(recipient.payoutType);
  const isChecked = corridor !== undefined && neededCheck(transaction, recipient, corridor) === undefined;
  const isFree = maySend(transaction) && isChecked;
  const other = isFree ? failOver(hearing, command.failOverTo) : undefined;
  const heard = other?.heard ?? withTimes(hearOrBreak(ctx, hearing), command, hearing, desk);
  const contradiction = contradictionIn(hearing, heard);
  if (contradiction) notes.contradictions.push(contradiction);
  if (isSentLast(command, { recipient, attempt, now: desk.now })) {
    notes.sent.push({ accountId: command.accountId, attemptId: command.attemptId, details: command.sentDetails });
  }
  const after = unclaimed(heard);
  desk.putAttempt(heard.attempt);
  if (other) desk.putAttempt(other.next);
  // Providers repeat themselves: what tells nothing new writes nothing.
  if (heard.money.length + heard.events.length === 0 && sameFields(after, recipient)) return 'recorded';
  desk.apply({ ...heard, recipient: after });
  desk.settle(transaction.transactionId);
  return 'recorded';
}

/** Who was late may have told of an edit before somebody else told of a later one, which is then noted already. */
function isSentLast(
  command: AnswerCommand,
  at: { readonly recipient: Recipient; readonly attempt: Attempt; readonly now: Date },
): command is AnswerCommand & Required<Pick<AnswerCommand, 'sentDetails'>> {
  const { update, sentDetails, call } = command;
  if (update !== 'updated' || sentDetails === undefined) return false;
  const isLate = call !== undefined && standingOf(call, at) === 'lost';
  return !isLate || isDeepStrictEqual(sentDetails, at.recipient.payoutDetails);
}

/** The claim was noted as one that sends, and this one did not. What the next one has noted stays. */
function withoutSending(
  attempt: Attempt | undefined,
  { call }: AnswerCommand,
  { leaseMs }: TransactionDesk['policy'],
): Attempt | undefined {
  if (!attempt?.sentAt || call?.sentBefore === undefined) return attempt;
  const isOurs = attempt.sentAt.getTime() + leaseMs === call.leaseEnd.getTime();
  return isOurs ? { ...attempt, sentAt: call.sentBefore } : attempt;
}

/** The claim ends with the attempt it was for: who made the call may be gone, and would never say so. */
function unclaimed({ recipient, attempt }: Heard): Recipient {
  const isOver = attempt.outcome !== null && recipient.attemptId === attempt.attemptId && recipient.checkId === null;
  return recipient.isClaimed && isOver ? { ...recipient, isClaimed: false } : recipient;
}

/** While another call about the attempt is under way its lease stands; otherwise the provider's announcement counts. */
function withTimes(heard: Heard, command: AnswerCommand, before: Hearing, { now, policy }: TransactionDesk): Heard {
  const { recipient } = heard;
  if (recipient.isClaimed && heard.attempt.outcome === null) {
    return { ...heard, recipient: { ...recipient, nextAttemptAt: before.recipient.nextAttemptAt } };
  }
  // Only who was asked announces anything; a callback takes back no announcement.
  if (command.call === undefined && command.newsAt === undefined) {
    return putsOffNoWish(heard, before.recipient.nextAttemptAt);
  }
  const newsAt = command.newsAt && command.newsAt > now ? command.newsAt : undefined;
  return announce(heard, newsAt, now, policy);
}

/**
 * A failure is believed from the call that the recipient is claimed for, and from callbacks. Once somebody else has
 * taken over, the order may have been sent again, and taken: that a provider was down before proves nothing any more.
 */
const TOO_LATE = { kind: 'unknown', why: 'heard when somebody else had taken over' } as const;

function hearingOf(
  ctx: RecordContext,
  desk: TransactionDesk,
  { answer, call, update, sentDetails }: AnswerCommand,
  recipient: Recipient,
  attempt: Attempt,
): Hearing {
  const { nextAttemptAt } = recipient;
  const standing = call && standingOf(call, { recipient, attempt, now: desk.now });
  // The time of the lease ends with it; a time that somebody else has set meanwhile, by an edit, stays.
  const isLease = standing === 'holds' && nextAttemptAt?.getTime() === call?.leaseEnd.getTime();
  const isTold = update !== undefined && isDeepStrictEqual(sentDetails, recipient.payoutDetails);
  return {
    recipient: {
      ...recipient,
      isClaimed: recipient.isClaimed && standing !== 'holds',
      nextAttemptAt: isLease ? null : nextAttemptAt,
      updateRequested: recipient.updateRequested && !isTold,
    },
    attempt,
    answer: standing === 'lost' && answer.kind === 'failed' ? TOO_LATE : answer,
    by: 'provider',
    isCash: isCashType(recipient.payoutType),
    now: desk.now,
    sureNow: ctx.sureNow(),
    policy: desk.policy,
  };
}

/**
 * The provider surely did not take the order, and another one is open: the payout goes on there under a new reference,
 * and the caller hears of no error. The new attempt is asked about first, like every one that nobody has heard of.
 */
function failOver(hearing: Hearing, provider: string | undefined): { heard: Heard; next: Attempt } | undefined {
  const { recipient, attempt, now } = hearing;
  const answer = believed(hearing);
  if (provider === undefined || answer.kind !== 'failed' || answer.isDown !== true) return undefined;
  const isOurs = recipient.state === 'pending' && recipient.cancelRequestedAt === null && attempt.outcome === null;
  if (!isOurs) return undefined;
  const next = newAttempt(recipient, provider, now);
  const after = { ...recipient, provider, attemptId: next.attemptId, attemptCount: next.number, nextAttemptAt: now };
  const over = ended(hearing, 'failed', { paidAmount: null, code: answer.code });
  return { heard: { recipient: after, attempt: over, money: [], events: [] }, next };
}

/** An answer that the tables have no move for stops the work on that recipient, and on nothing else. */
function hearOrBreak({ log }: Pick<Context, 'log'>, hearing: Hearing): Heard {
  try {
    return hear(hearing);
  } catch (fault) {
    const { recipient, attempt } = hearing;
    if (!(fault instanceof BrokenInvariant) || recipientTable.move(recipient.state, 'break') === undefined) throw fault;
    const ids = { account_id: recipient.accountId, recipient_id: recipient.recipientId };
    log.error('an answer broke an invariant', ids, fault);
    const broken = excepted(recipient, 'break', 'The answer of the provider could not be recorded.');
    return { recipient: { ...broken, nextAttemptAt: null }, attempt, money: [], events: [] };
  }
}
