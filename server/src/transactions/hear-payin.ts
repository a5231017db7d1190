/**
 * What an answer about a prompt makes of its payin method and of the collection. Safe to be told the same thing twice
 * and in any order: payments are known by the provider's own reference, and what has ended is not opened again by a
 * word. Spec: Transaction states, Events (payin_method). Open points OP-19 and OP-168.
 */
import type { Context } from '../context.ts';
import { unreachable } from '../kernel/assert.ts';
import { endedAs, type PayinAttempt } from '../payins/attempt.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { contradictsFailure, failureOf, OTP_REASON, waitOf } from '../payins/state-reason.ts';
import type { PayinAnswer, Shown } from '../providers/payin-provider.ts';
import {
  endPayin,
  expireOverdue,
  failPayin,
  isUnpaid,
  type PayinKey,
  payinAt,
  reasoned,
  toPending,
} from './payin-steps.ts';
import { receivePayment } from './receive-payin.ts';
import type { TransactionDesk } from './transaction-desk.ts';

type HearContext = Pick<Context, 'ids' | 'catalogue' | 'settings' | 'log'>;

export type PayinSaid =
  | PayinAnswer
  /**
   * The provider has taken the prompt back at our wish. `failure`: it says that nothing was paid either, with the code.
   */
  | { readonly kind: 'canceled'; readonly failure?: string };

export function hearPayin(
  ctx: HearContext,
  desk: TransactionDesk,
  key: PayinKey,
  attempt: PayinAttempt,
  said: PayinSaid,
  /** It is the answer to the call that handed a one-time code over. */
  { answersCode = false } = {},
): void {
  const { transaction } = payinAt(desk, key);
  // Nobody has come by since the hour ended. A payment that is being confirmed was made before.
  expireOverdue(desk, transaction);
  const heard = said.kind === 'unknown' ? attempt : { ...attempt, heardAt: desk.now };
  desk.payins.putAttempt(heard);
  switch (said.kind) {
    case 'unknown':
      return;
    case 'paid':
      hearPaid(ctx, desk, key, heard, said.payments);
      return;
    case 'failed':
      hearFailed(ctx, desk, key, heard, said.code);
      return;
    case 'canceled':
      hearTakenBack(ctx, desk, key, heard, said.failure);
      return;
    case 'processing':
    case 'waiting':
    case 'needs_otp':
      // A prompt that has ended is not opened again: the word was overtaken by a later one.
      if (heard.outcome === null) hearOpen(desk, key, said, answersCode);
      return;
    default:
      unreachable(said);
  }
}

function hearPaid(
  ctx: HearContext,
  desk: TransactionDesk,
  key: PayinKey,
  attempt: PayinAttempt,
  payments: Extract<PayinAnswer, { kind: 'paid' }>['payments'],
): void {
  const { provider, attemptId } = attempt;
  // Before the payments: one of another amount fails the payin method, and a new prompt must not wait for this one.
  if (attempt.outcome !== 'paid') desk.payins.putAttempt(endedAs(attempt, 'paid', '0', desk.now));
  for (const payment of payments) receivePayment(ctx, desk, key, { ...payment, provider, attemptId });
  const { method } = payinAt(desk, key);
  // Its cancellation was asked for while the payer paid.
  const isSettled = !isUnpaid(method) && method.cancelRequestedAt !== null && method.state !== 'canceled';
  if (isSettled) desk.applyPayin({ ...method, cancelRequestedAt: null });
}

function hearFailed(
  { log }: Pick<Context, 'log'>,
  desk: TransactionDesk,
  key: PayinKey,
  attempt: PayinAttempt,
  code: string,
): void {
  if (contradictsFailure(code)) return;
  if (attempt.outcome === 'paid') {
    // The money is in the books, and stays there until people have looked.
    const ids = { account_id: attempt.accountId, attempt_id: attempt.attemptId };
    log.warn('a provider says of a paid prompt that it failed', { code, ...ids });
    if (attempt.contradictedAt === null) desk.payins.putAttempt({ ...attempt, contradictedAt: desk.now });
    return;
  }
  if (attempt.outcome !== null) return;
  desk.payins.putAttempt(endedAs(attempt, 'failed', code, desk.now));
  const { method } = payinAt(desk, key);
  if (method.attemptId !== attempt.attemptId) return;
  // Asked to take it back, it says that it has failed: canceled all the same.
  if (method.cancelRequestedAt !== null && isUnpaid(method)) hearCanceled(desk, key, attempt);
  else failPayin(desk, key, failureOf(code));
}

/**
 * The payer is no longer prompted. Of a payment that is being confirmed this says nothing: it may still arrive, and is
 * asked about until the provider says that it does not.
 */
function hearTakenBack(
  ctx: HearContext,
  desk: TransactionDesk,
  key: PayinKey,
  attempt: PayinAttempt,
  failure: string | undefined,
): void {
  const { method } = payinAt(desk, key);
  if (method.state === 'processing' && method.attemptId === attempt.attemptId) {
    if (failure !== undefined) hearFailed(ctx, desk, key, attempt, failure);
    return;
  }
  if (attempt.outcome === null) desk.payins.putAttempt(endedAs(attempt, 'canceled', null, desk.now));
  hearCanceled(desk, key, attempt);
}

function hearCanceled(desk: TransactionDesk, key: PayinKey, attempt: PayinAttempt): void {
  const { method } = payinAt(desk, key);
  if (method.attemptId !== attempt.attemptId || !isUnpaid(method)) return;
  endPayin(desk, { ...method, nextAttemptAt: null }, 'cancel');
}

function hearOpen(
  desk: TransactionDesk,
  key: PayinKey,
  said: Extract<PayinAnswer, { kind: 'processing' | 'waiting' | 'needs_otp' }>,
  answersCode: boolean,
): void {
  const { method, transaction } = payinAt(desk, key);
  if (transaction.state !== 'approved' && transaction.state !== 'pending') return;
  // What was prompted before this one, or is being confirmed, is further than the word.
  if (!isUnpaid(method) || method.state === 'error') return;
  const shown = 'shown' in said ? withShown(method, said.shown) : method;
  if (said.kind === 'needs_otp') {
    needOtp(desk, shown, said.wasWrong === true);
    return;
  }
  // Without the code nobody pays. Whoever was not given it knows nothing of it: the word was overtaken by the one that
  // asked for it, and a code that waits to be handed over would be forgotten.
  if (said.kind === 'waiting' && method.state === 'incomplete' && !answersCode) {
    desk.applyPayin(shown);
    return;
  }
  const reason = waitOf(said.kind === 'waiting' ? said.code : CONFIRMING);
  const isKnown = method.state === 'pending' && method.stateReasonDetails?.code === reason.code;
  desk.applyPayin({ ...shown, stateReasonDetails: reason, otpGiven: false });
  toPending(desk, key, reason);
  if (!isKnown) desk.putTransaction(reasoned(payinAt(desk, key).transaction, reason));
  if (said.kind !== 'processing') return;
  desk.movePayin(payinAt(desk, key).method, 'process');
  if (transaction.state === 'approved') desk.move(transaction.transactionId, 'clear');
}

/** Published: awaited until the provider confirms. */
const CONFIRMING = '14';

/** Told again without a new code in between, it changes nothing. */
function needOtp(desk: TransactionDesk, method: PayinMethod, wasWrong: boolean): void {
  if (method.state === 'pending') return;
  const after = { ...method, stateReasonDetails: OTP_REASON };
  if (method.state === 'initial') {
    desk.movePayin(after, 'ask');
  } else if (wasWrong && method.otpGiven) {
    desk.applyPayin({ ...after, otpGiven: false, otpRejected: true }, 'payin_method.incomplete');
  } else {
    desk.applyPayin(after);
  }
  desk.putTransaction(reasoned(payinAt(desk, method).transaction, OTP_REASON));
}

function withShown(method: PayinMethod, shown: Shown | undefined): PayinMethod {
  if (shown === undefined) return method;
  return {
    ...method,
    outDetails: { ...method.outDetails, ...shown.outDetails },
    instructions: { ...method.instructions, ...shown.instructions },
  };
}
