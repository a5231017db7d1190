/**
 * What a due transaction needs now. Decides at the desk, command by command, and gives the calls to make once
 * everything is committed. Pure but for the desk. Spec: Transaction states, Recipient states.
 */
import type { CheckQuestion } from '../account-checks/account-check.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import { amount } from '../money/amount.ts';
import type { PayoutOrder } from '../providers/payout-provider.ts';
import { type Attempt, attemptIdOf, referenceOf, settledAt } from '../recipients/attempt.ts';
import { cancelerOf } from '../recipients/canceler.ts';
import { moved, refunded, withoutCheck } from '../recipients/effects.ts';
import { nextAskAt, nextLookAt } from '../recipients/pace.ts';
import type { Choice } from '../recipients/plan.ts';
import type { Recipient, RecipientKey } from '../recipients/recipient.ts';
import { viewSender } from '../senders/view.ts';
import { autoRefundAt, isOpen, isSent } from './due-at.ts';
import { expireUnfunded } from './expire.ts';
import type { HoldDesk } from './hold-desk.ts';
import { planPayout } from './plan-payout.ts';
import { type AtDesk, recipientAt } from './recipient-desk.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

/** Picks the provider of a payout type, leaving out one that has just failed, where there is another. */
type ChooseProvider = (payoutType: string, failedAt: string | undefined) => Choice;

export interface Providing {
  readonly choose: ChooseProvider;
  /** Whether the provider may be asked one more now; otherwise that waits as long as until the next time. */
  readonly mayAsk: (provider: string) => boolean;
  /** Whether one more account may be looked up now. */
  readonly mayCheck: () => boolean;
}

export interface PayoutCall {
  readonly do: 'submit' | 'ask';
  readonly mayResend: boolean;
  readonly cancel: boolean;
  readonly update: boolean;
  readonly provider: string;
  readonly order: PayoutOrder;
  readonly attemptId: string;
  /** From then on somebody else may work on it. */
  readonly leaseEnd: Date;
  /** When somebody was last about to send it before this call; null: nobody was. */
  readonly sentBefore: Date | null;
  /** From then on an order that the provider does not know was never taken; null: it never was. */
  readonly settledAt: Date | null;
}

/** A look at the account before the recipient is paid. */
export interface CheckCall extends RecipientKey {
  readonly do: 'check';
  readonly transactionId: string;
  readonly checkId: string;
  readonly question: CheckQuestion;
  /** From then on somebody else may work on it. */
  readonly leaseEnd: Date;
}

type DecideContext = Pick<Context, 'ids' | 'catalogue'>;

export function decideDue(
  ctx: DecideContext,
  { desk, holds }: { readonly desk: TransactionDesk; readonly holds: Pick<HoldDesk, 'review'> },
  transaction: WholeTransaction,
  providing: Providing,
): (PayoutCall | CheckCall)[] {
  const { now } = desk;
  if (transaction.fundedAt === null) {
    // Debits have been refused since its hour ended, whenever a worker comes by.
    expireUnfunded(desk, transaction);
    return [];
  }
  const refundAt = autoRefundAt(transaction, desk.policy);
  if (refundAt !== null && refundAt <= now) autoRefund(desk, transaction);
  holds.review(desk, transaction);
  const calls: (PayoutCall | CheckCall)[] = [];
  let resumes = false;
  for (const recipient of transaction.recipients) {
    const call = decideRecipient(ctx, desk, recipientAt(desk, recipient), providing);
    if (call?.do === 'submit') resumes = true;
    if (call) calls.push(call);
  }
  desk.settle(transaction.transactionId, { resumes });
  // Looked at, and perhaps nothing to do: what is written then is its next time.
  const looked = desk.current(transaction);
  if (looked === transaction) desk.putTransaction({ ...looked });
  return calls;
}

/**
 * Nobody was paid in time. What is with a provider is settled there first, since one success ends the refund of the
 * others; when that is known and there was none, all that is open goes back.
 */
function autoRefund(desk: TransactionDesk, { recipients }: WholeTransaction): void {
  const by = cancelerOf('auto_refund');
  const sent = recipients.filter(isSent);
  for (const recipient of sent) {
    if (recipient.cancelRequestedAt !== null) continue;
    desk.putRecipient({ ...recipient, ...by, cancelRequestedAt: desk.now });
  }
  if (sent.length > 0) return;
  for (const recipient of recipients.filter(isOpen)) {
    const end = { ...by, endedAt: desk.now };
    desk.apply(refunded(recipient, 'auto_refund', end, desk.attempt(recipient.attemptId)?.newsAt));
  }
}

function decideRecipient(
  ctx: DecideContext,
  desk: TransactionDesk,
  { transaction, recipient }: AtDesk,
  { choose, mayAsk, mayCheck }: Providing,
): PayoutCall | CheckCall | undefined {
  // What has ended needs no file of its type: one that is gone holds up neither a refund by time nor the other
  // recipients.
  if (!isOpen(recipient) && recipient.nextAttemptAt === null) return undefined;
  const corridor = ctx.catalogue.mustPayout(recipient.payoutType);
  const running = desk.attempt(recipient.attemptId);
  const { plan, question } = planPayout({
    transaction,
    recipient,
    attempt: running,
    corridor,
    policy: desk.policy,
    now: desk.now,
    choose: (failedAt) => choose(recipient.payoutType, failedAt),
  });
  switch (plan.do) {
    case 'nothing':
      return undefined;
    case 'check':
      if (mayCheck()) return claimCheck(ctx, desk, recipient, present(question, 'what is asked'));
      // Nobody looks it up until then, whoever did before.
      lookLater(desk, transaction, withoutCheck(recipient));
      return undefined;
    case 'wait':
      lookLater(desk, transaction, recipient);
      return undefined;
    case 'submit': {
      const attempt = newAttempt(recipient, plan.provider, desk.now);
      return claim(desk, transaction, started(recipient, attempt), attempt, SUBMIT);
    }
    case 'ask': {
      const attempt = present(running, 'running attempt');
      if (mayAsk(attempt.provider)) return claim(desk, transaction, recipient, attempt, plan);
      // Nobody works on it until then, whoever did before.
      const nextAttemptAt = nextAskAt(attempt, desk.now, desk.policy);
      desk.putRecipient({ ...recipient, isClaimed: false, nextAttemptAt });
      return undefined;
    }
  }
}

/** Nothing has happened to the recipient: what it needs is not to be had now. */
function lookLater(desk: TransactionDesk, { fundedAt }: WholeTransaction, recipient: Recipient): void {
  const since = desk.attempt(recipient.attemptId)?.endedAt ?? fundedAt ?? desk.now;
  const nextAttemptAt = nextLookAt({ id: recipient.recipientId, since }, desk.now);
  desk.putRecipient({ ...recipient, nextAttemptAt });
}

const SUBMIT = { do: 'submit', mayResend: false, cancel: false, update: false } as const;

/** The recipient stays as it is while its account is looked up: it can be edited and canceled. */
function claimCheck(
  { ids }: DecideContext,
  desk: TransactionDesk,
  recipient: Recipient,
  question: CheckQuestion,
): CheckCall {
  const checkId = ids.next();
  const leaseEnd = new Date(desk.now.getTime() + desk.policy.leaseMs);
  const claimed = { ...recipient, checkId, isClaimed: true, nextAttemptAt: leaseEnd };
  desk.putRecipient(claimed);
  const { accountId, transactionId, recipientId } = recipient;
  return { do: 'check', accountId, transactionId, recipientId, checkId, question, leaseEnd };
}

/** Puts the recipient under a lease: when it runs out, somebody else asks the provider what became of the order. */
function claim(
  desk: TransactionDesk,
  transaction: WholeTransaction,
  recipient: Recipient,
  attempt: Attempt,
  how: Pick<PayoutCall, 'do' | 'mayResend' | 'cancel' | 'update'>,
): PayoutCall {
  const leaseEnd = new Date(desk.now.getTime() + desk.policy.leaseMs);
  const sends = how.do === 'submit' || how.mayResend;
  desk.putAttempt(sends ? { ...attempt, sentAt: desk.now } : attempt);
  desk.putRecipient({ ...recipient, isClaimed: true, nextAttemptAt: leaseEnd });
  const { do: what, mayResend, cancel, update } = how;
  return {
    do: what,
    mayResend,
    cancel,
    update,
    provider: attempt.provider,
    order: orderOf(transaction, recipient, attempt, update),
    attemptId: attempt.attemptId,
    leaseEnd,
    sentBefore: attempt.sentAt,
    settledAt: settledAt(attempt, desk.policy),
  };
}

export function newAttempt(recipient: Recipient, provider: string, startedAt: Date): Attempt {
  const number = recipient.attemptCount + 1;
  return {
    accountId: recipient.accountId,
    attemptId: attemptIdOf(recipient.recipientId, number),
    transactionId: recipient.transactionId,
    recipientId: recipient.recipientId,
    number,
    provider,
    details: recipient.payoutDetails,
    startedAt,
    sentAt: null,
    heardAt: null,
    asks: 0,
    outcome: null,
    code: null,
    paidAmount: null,
    decidedBy: null,
    evidence: null,
    endedAt: null,
    newsAt: null,
  };
}

/** Sent to a provider: what was wrong before is no longer shown, whatever it was. */
export function started(recipient: Recipient, attempt: Attempt): Recipient {
  return {
    ...moved(withoutCheck(recipient), recipient.state === 'initial' ? 'start' : 'retry'),
    stateReason: null,
    stateReasonDetails: null,
    provider: attempt.provider,
    attemptId: attempt.attemptId,
    attemptCount: attempt.number,
    updateRequested: false,
  };
}

function orderOf({ sender }: WholeTransaction, recipient: Recipient, attempt: Attempt, isUpdate: boolean): PayoutOrder {
  return {
    reference: referenceOf(attempt),
    accountId: recipient.accountId,
    transactionId: recipient.transactionId,
    recipientId: recipient.recipientId,
    payoutType: recipient.payoutType,
    recipientType: recipient.type,
    details: isUpdate ? recipient.payoutDetails : attempt.details,
    amount: amount(recipient.outputAmount, recipient.outputCurrency),
    sender: viewSender(sender),
    attemptNumber: attempt.number,
    startedAt: attempt.startedAt,
  };
}
