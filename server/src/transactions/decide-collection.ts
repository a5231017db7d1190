/**
 * What a due collection needs now: it expires, its payer is prompted, its provider asked, or its money brought into the
 * balance. Decides at the desk and gives the calls to make once everything is committed. Pure but for the desk.
 * Spec: What the service does (3), Transaction states.
 */
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import { amount } from '../money/amount.ts';
import type { PayinAttempt } from '../payins/attempt.ts';
import { nextAskAt } from '../payins/pace.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { type PayinChoice, planPayin } from '../payins/plan.ts';
import type { PayinOrder } from '../providers/payin-provider.ts';
import { attemptIdOf, referenceOf } from '../recipients/attempt.ts';
import { canTransact } from '../senders/states.ts';
import { viewSender } from '../senders/view.ts';
import type { HoldDesk } from './hold-desk.ts';
import { isBalanceDue, payDueBalance } from './pay-balance.ts';
import { renewed } from './payin-flow.ts';
import { payinReferenceOf } from './payin-reference.ts';
import { expireOverdue, type PayinKey, payinAt, retryPayin } from './payin-steps.ts';
import { resize } from './resize.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

/** Picks the provider of a payin type, leaving out one that has just failed, where there is another. */
type ChoosePayin = (payinType: string, failedAt: string | undefined) => PayinChoice;

export interface Collecting {
  readonly choose: ChoosePayin;
  /** Whether the provider may be asked one more now; otherwise that waits as long as until the next time. */
  readonly mayAsk: (provider: string) => boolean;
  /** The same for one more prompt that is to be taken back there. */
  readonly mayCancel: (provider: string) => boolean;
}

export interface PayinCall {
  readonly do: 'prompt' | 'ask' | 'give_otp' | 'cancel';
  readonly mayResend: boolean;
  readonly provider: string;
  readonly order: PayinOrder;
  readonly attemptId: string;
  /** From then on somebody else may work on it. */
  readonly leaseEnd: Date;
}

/**
 * Nobody is asked for money that would be held because of its sender: a payer is prompted, also once more, only while
 * the sender may transact. Looked at so often, within the hour. Open point OP-214.
 */
const SENDER_WAIT_MS = 60_000;
const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

type DecideContext = Pick<Context, 'catalogue' | 'settings'>;

export function decideCollection(
  ctx: DecideContext,
  { desk, holds }: { readonly desk: TransactionDesk; readonly holds: HoldDesk },
  transaction: WholeTransaction,
  collecting: Collecting,
): PayinCall[] {
  expireOverdue(desk, transaction);
  const calls = transaction.payinMethods.flatMap((method) => decideMethod(ctx, desk, method, collecting) ?? []);
  // While more may come in, what it comes to is not known yet, and a hold would end the wait. Rules look at what came.
  const isDue = isBalanceDue(desk.current(transaction), desk.now);
  if (isDue) resize(desk, transaction);
  if (isDue || desk.current(transaction).state === 'processing') holds.review(desk, transaction);
  payDueBalance(desk, transaction);
  // Looked at, and perhaps nothing to do: what is written then is its next time.
  const looked = desk.current(transaction);
  if (looked === transaction) desk.putTransaction({ ...looked });
  return calls;
}

function decideMethod(
  ctx: DecideContext,
  desk: TransactionDesk,
  key: PayinKey,
  { choose, mayAsk, mayCancel }: Collecting,
): PayinCall | undefined {
  const { method, transaction } = payinAt(desk, key);
  const attempt = desk.payins.attempt(method.attemptId);
  const mayPrompt = canTransact(transaction.sender.state);
  const plan = planPayin({
    method,
    attempt,
    transactionState: transaction.state,
    now: desk.now,
    choose: (failedAt) => (mayPrompt ? choose(method.type, failedAt) : { waitUntil: later(desk.now, SENDER_WAIT_MS) }),
  });
  switch (plan.do) {
    case 'nothing':
      return undefined;
    case 'wait':
      desk.applyPayin({ ...method, nextAttemptAt: plan.until });
      return undefined;
    case 'prompt': {
      if (method.state === 'error') retryPayin(desk, renewed(ctx, { method, transaction }, attempt));
      const fresh = payinAt(desk, key).method;
      const next = newPayinAttempt(transaction, fresh, plan.provider, desk.now);
      const { attemptId, number: attemptCount, provider } = next;
      return claim(ctx, desk, { ...fresh, attemptId, attemptCount, provider }, next, {
        do: 'prompt',
        mayResend: false,
      });
    }
    default: {
      const last = present(attempt, 'the last prompt');
      const mayCall = { ask: mayAsk, cancel: mayCancel, give_otp: () => true }[plan.do];
      if (!mayCall(last.provider)) {
        // Nobody works on it until then, whoever did before.
        desk.applyPayin({ ...method, isClaimed: false, nextAttemptAt: nextAskAt(last, desk.now, ctx.settings.payins) });
        return undefined;
      }
      const mayResend = plan.do === 'ask' && plan.mayResend && mayPrompt;
      return claim(ctx, desk, method, last, { do: plan.do, mayResend });
    }
  }
}

/** Puts the payin method under a lease: when it runs out, somebody else asks what became of the prompt. */
function claim(
  ctx: DecideContext,
  desk: TransactionDesk,
  method: PayinMethod,
  attempt: PayinAttempt,
  how: Pick<PayinCall, 'do' | 'mayResend'>,
): PayinCall {
  const leaseEnd = later(desk.now, desk.policy.leaseMs);
  desk.payins.putAttempt(attempt);
  desk.applyPayin({ ...method, isClaimed: true, nextAttemptAt: leaseEnd });
  const { transaction } = payinAt(desk, method);
  const { provider, attemptId } = attempt;
  return { ...how, provider, order: orderOf(ctx, transaction, method, attempt), attemptId, leaseEnd };
}

function newPayinAttempt(
  { inputAmount, paidAmount }: WholeTransaction,
  method: PayinMethod,
  provider: string,
  startedAt: Date,
): PayinAttempt {
  const { accountId, transactionId, payinMethodId, attemptCount, inDetails: details } = method;
  const number = attemptCount + 1;
  return {
    accountId,
    attemptId: attemptIdOf(payinMethodId, number),
    transactionId,
    payinMethodId,
    number,
    provider,
    details,
    amount: inputAmount - paidAmount,
    startedAt,
    heardAt: null,
    asks: 0,
    outcome: null,
    code: null,
    endedAt: null,
    contradictedAt: null,
  };
}

function orderOf(
  { catalogue }: Pick<Context, 'catalogue'>,
  transaction: WholeTransaction,
  method: PayinMethod,
  attempt: PayinAttempt,
): PayinOrder {
  const keys = catalogue.payin(method.type)?.outDetails.get(method.uxFlow)?.get('keys');
  const { otp } = method.inDetails;
  const reference = transaction.recipients[0]?.payoutDetails['reference'];
  return {
    reference: referenceOf(attempt),
    accountId: method.accountId,
    transactionId: method.transactionId,
    payinMethodId: method.payinMethodId,
    payinType: method.type,
    uxFlow: method.uxFlow,
    details: attempt.details,
    ...(typeof otp === 'string' && otp !== '' && { otp }),
    amount: amount(attempt.amount, transaction.inputCurrency),
    payinReference: payinReferenceOf(transaction),
    ...(typeof reference === 'string' && { collectionReference: reference }),
    shows: Array.isArray(keys) ? keys : [],
    sender: viewSender(transaction.sender),
    attemptNumber: attempt.number,
    startedAt: attempt.startedAt,
  };
}
