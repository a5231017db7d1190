/**
 * When a payin method is worked on next, decided after everything that was heard of it: its provider is asked, its
 * prompt taken back, a one-time code handed over, or its payer prompted again. Open point OP-174.
 */
import type { Context } from '../context.ts';
import { endedAs, type PayinAttempt } from '../payins/attempt.ts';
import { nextAskAt, nextPromptAt } from '../payins/pace.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { isTemporary } from '../payins/state-reason.ts';
import { isUnpaid, type PayinKey, payinAt } from './payin-steps.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

export interface PayinTimes {
  /** The call that has just ended, where one did. */
  readonly did?: 'prompt' | 'ask' | 'give_otp' | 'cancel';
  /** When the provider will have news, where it knows. */
  readonly newsAt?: Date;
}

export function schedulePayin(
  { settings }: Pick<Context, 'settings'>,
  desk: TransactionDesk,
  key: PayinKey,
  times: PayinTimes,
): void {
  const { method, transaction } = payinAt(desk, key);
  const last = desk.payins.attempt(method.attemptId);
  if (last?.outcome === null) {
    // A call is under way, and its lease stands.
    if (!method.isClaimed) openPrompt({ settings }, desk, { method, transaction, last }, times);
    return;
  }
  const nextAttemptAt = afterTheEnd({ settings }, desk, { method, transaction, last }, times);
  const isSame = nextAttemptAt?.getTime() === method.nextAttemptAt?.getTime();
  // The claim ends with the prompt it was for: who made the call may be gone, and would never say so.
  if (!isSame || method.isClaimed) desk.applyPayin({ ...method, isClaimed: false, nextAttemptAt });
}

interface Standing {
  readonly method: PayinMethod;
  readonly transaction: WholeTransaction;
  readonly last: PayinAttempt | undefined;
}

function openPrompt(
  { settings: { payins } }: Pick<Context, 'settings'>,
  desk: TransactionDesk,
  { method, transaction, last }: Standing & { readonly last: PayinAttempt },
  { did, newsAt }: PayinTimes,
): void {
  const isPaid = !isUnpaid(method) && method.state !== 'processing' && method.state !== 'canceled';
  // It was paid under an earlier reference: nobody should pay under this one any more.
  const cancelRequestedAt = method.cancelRequestedAt ?? (isPaid ? desk.now : null);
  const takesNoMore = cancelRequestedAt !== null && transaction.state !== 'approved' && transaction.state !== 'pending';
  const askUntilMs = transaction.expiresAt.getTime() + payins.askUntilMs;
  if (takesNoMore && desk.now.getTime() >= askUntilMs) {
    desk.payins.putAttempt(endedAs(last, 'abandoned', last.code, desk.now));
    desk.applyPayin({ ...method, cancelRequestedAt, nextAttemptAt: null });
    return;
  }
  const isUrgent = (cancelRequestedAt !== null && did !== 'cancel') || (method.otpGiven && did !== 'give_otp');
  const announced = newsAt !== undefined && newsAt > desk.now ? newsAt : undefined;
  const nextAttemptAt = isUrgent ? desk.now : (announced ?? nextAskAt(last, desk.now, payins));
  desk.applyPayin({ ...method, cancelRequestedAt, nextAttemptAt });
}

function afterTheEnd(
  { settings: { payins } }: Pick<Context, 'settings'>,
  { now }: TransactionDesk,
  { method, transaction, last }: Standing,
  { newsAt }: PayinTimes,
): Date | null {
  // Asked for by somebody else meanwhile, for now: an edit, or a retry.
  if (method.state === 'initial') return method.nextAttemptAt;
  if (last === undefined) return null;
  if (method.state === 'error') {
    const reason = method.stateReasonDetails;
    return reason !== null && isTemporary(reason) ? nextPromptAt(last, now, payins) : null;
  }
  if (newsAt !== undefined && newsAt > now) return newsAt;
  // What was paid under it was another collection's: its own payment is still being confirmed.
  if (method.state === 'processing') return nextAskAt(last, now, payins);
  // More may come in before it is paid out.
  const windowEnds = (transaction.fundedAt?.getTime() ?? 0) + payins.mispaidWindowMs;
  const waits = transaction.state === 'mispaid' && now.getTime() < windowEnds;
  return waits ? nextAskAt(last, now, payins) : null;
}
