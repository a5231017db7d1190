/**
 * The small steps of a collection that answers, callers and time have in common: a failure, the end of the hour, a
 * cancellation. Each works at the desk and sees what the steps before it did.
 */
import { present } from '../kernel/assert.ts';
import { PAYIN_MOVE_EVENTS } from '../payins/events.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { type CollectionReason, isWaiting, PAID_REASON, textOf } from '../payins/state-reason.ts';
import { GROUPS } from '../payins/states.ts';
import { cancelerOf } from '../recipients/canceler.ts';
import { cancelUnpaid, expireUnfunded } from './expire.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

const UNPAID: readonly string[] = GROUPS.unpaid;

export interface PayinAtDesk {
  readonly transaction: WholeTransaction;
  readonly method: PayinMethod;
}

/**
 * Which payin method, and nothing of what it is like: a step that gets a key reads the desk, and cannot take what was
 * true some steps ago for what is true now.
 */
export type PayinKey = Pick<PayinMethod, 'accountId' | 'transactionId' | 'payinMethodId'>;

/** As the steps before have left it. */
export function payinAt(desk: TransactionDesk, key: PayinKey): PayinAtDesk {
  const transaction = desk.current(key);
  const method = transaction.payinMethods.find((each) => each.payinMethodId === key.payinMethodId);
  return { transaction, method: present(method, 'payin method at the desk') };
}

export function isUnpaid({ state }: Pick<PayinMethod, 'state'>): boolean {
  return UNPAID.includes(state);
}

/** Whether its payer can still pay, as far as anybody knows. */
export function hasOpenPrompt(desk: TransactionDesk, key: PayinKey): boolean {
  return desk.payins.attempt(payinAt(desk, key).method.attemptId)?.outcome === null;
}

/** What is said of the payin method is said of its transaction too. Spec: Transaction (state_reason_details). */
export function reasoned(transaction: WholeTransaction, reason: CollectionReason): WholeTransaction {
  return { ...transaction, stateReason: textOf(reason), stateReasonDetails: reason };
}

/**
 * Whatever it was before, its payer has been prompted: an answer proves it, even one that came late. `reason`: what is
 * waited for now; a one-time code is not asked for any more.
 */
export function toPending(desk: TransactionDesk, key: PayinKey, reason: CollectionReason | null): void {
  const { method: before } = payinAt(desk, key);
  if (before.state === 'error') retryPayin(desk, before);
  const { method } = payinAt(desk, key);
  if (method.state === 'initial' || method.state === 'incomplete') {
    desk.movePayin({ ...method, stateReasonDetails: reason, otpRejected: false }, 'prompt');
  }
}

/**
 * As if it had never been tried; what was wrong is no longer shown, neither of it nor of its transaction. A prompt that
 * is still open is asked about first: a payer never has two.
 */
export function retryPayin(desk: TransactionDesk, method: PayinMethod): void {
  const isOpen = hasOpenPrompt(desk, method);
  const askAt = method.isClaimed ? method.nextAttemptAt : desk.now;
  const cleared = {
    stateReasonDetails: null,
    attemptId: isOpen ? method.attemptId : null,
    nextAttemptAt: isOpen ? askAt : null,
    otpGiven: false,
    otpRejected: false,
  };
  desk.movePayin({ ...method, ...cleared }, 'retry');
  desk.putTransaction({ ...payinAt(desk, method).transaction, stateReason: null, stateReasonDetails: null });
}

/**
 * The prompt failed. When the payer is prompted again is decided apart (schedule-payin.ts). One whose cancellation was
 * asked for meanwhile, and could not be carried out, is canceled now.
 */
export function failPayin(desk: TransactionDesk, key: PayinKey, reason: CollectionReason): void {
  const { transaction, method } = payinAt(desk, key);
  if (method.state === 'error' || (!isUnpaid(method) && method.state !== 'processing')) return;
  const after = { ...method, stateReasonDetails: reason, errorCount: method.errorCount + 1, otpGiven: false };
  desk.movePayin({ ...after, cancelRequestedAt: null }, 'fail');
  desk.putTransaction(reasoned(payinAt(desk, key).transaction, reason));
  if (transaction.state === 'pending') bounce(desk, transaction);
  const { method: failed } = payinAt(desk, key);
  if (method.cancelRequestedAt !== null && isUnpaid(failed)) cancelPayin(desk, failed);
}

/** It had failed before, and now something else is wrong with it: the caller is told, as of each failure. */
export function failAnew(desk: TransactionDesk, key: PayinKey, reason: CollectionReason): void {
  const { method } = payinAt(desk, key);
  desk.applyPayin({ ...method, stateReasonDetails: reason, errorCount: method.errorCount + 1 }, PAYIN_MOVE_EVENTS.fail);
  desk.putTransaction(reasoned(payinAt(desk, key).transaction, reason));
}

function bounce(desk: TransactionDesk, transaction: WholeTransaction): void {
  if (desk.now < transaction.expiresAt) desk.move(transaction.transactionId, 'bounce');
  else {
    cancelUnpaid(desk, transaction, desk.operator ?? cancelerOf('failed_payin'));
    desk.move(transaction.transactionId, 'bounce_late');
    closePayins(desk, transaction);
  }
}

/**
 * Where the hour is over and no money came, which a worker may not have seen yet: it takes no more, and the open
 * prompts of a collection are taken back.
 */
export function expireOverdue(desk: TransactionDesk, transaction: WholeTransaction): void {
  if (!isOverdue(transaction, desk.now)) return;
  expireUnfunded(desk, transaction);
  closePayins(desk, transaction);
}

/** Its prompts are worth nothing any more: taken back at the provider as soon as somebody comes by. */
export function closePayins(desk: TransactionDesk, key: TransactionKey): void {
  const transaction = desk.current(key);
  for (const method of transaction.payinMethods.filter(isUnpaid)) cancelPayin(desk, method);
}

/** It broke and holds no money: it ends as one that was never paid, and its prompts are taken back. */
export function abandonCollection(desk: TransactionDesk, transaction: WholeTransaction): void {
  cancelUnpaid(desk, transaction, present(desk.operator, 'the operator who gives it up'));
  desk.move(transaction.transactionId, 'abandon');
  for (const method of transaction.payinMethods) {
    if (method.state === 'exception') cancelPayin(desk, method, 'abandon');
  }
  closePayins(desk, transaction);
}

/** It broke and holds money: what is here counts, and goes on to where it was meant to go. */
export function resumeCollection(desk: TransactionDesk, transaction: WholeTransaction): void {
  for (const method of transaction.payinMethods) {
    if (method.state !== 'exception') continue;
    desk.movePayin({ ...method, stateReasonDetails: PAID_REASON }, 'settle_paid');
  }
  // At once: nothing is added up any more.
  for (const recipient of transaction.recipients.filter(({ state }) => state === 'initial')) {
    desk.putRecipient({ ...recipient, nextAttemptAt: desk.now });
  }
  desk.putTransaction(reasoned(desk.current(transaction), PAID_REASON));
  desk.move(transaction.transactionId, 'resolve');
  desk.settle(transaction.transactionId);
}

export function cancelPayin(desk: TransactionDesk, method: PayinMethod, how: 'cancel' | 'abandon' = 'cancel'): void {
  const nextAttemptAt = method.isClaimed ? method.nextAttemptAt : hasOpenPrompt(desk, method) ? desk.now : null;
  endPayin(desk, { ...method, cancelRequestedAt: method.cancelRequestedAt ?? desk.now, nextAttemptAt }, how);
}

/** What it waited for is over, for it and for its transaction. Why it failed stays. */
export function endPayin(desk: TransactionDesk, method: PayinMethod, how: 'cancel' | 'abandon'): void {
  const stateReasonDetails = isWaiting(method.stateReasonDetails?.category) ? null : method.stateReasonDetails;
  desk.movePayin({ ...method, stateReasonDetails, otpGiven: false }, how);
  const { transaction } = payinAt(desk, method);
  if (!isWaiting(transaction.stateReasonDetails?.category)) return;
  desk.putTransaction({ ...transaction, stateReason: null, stateReasonDetails: null });
}

function isOverdue({ state, expiresAt }: WholeTransaction, now: Date): boolean {
  return (state === 'initial' || state === 'approved') && now >= expiresAt;
}
