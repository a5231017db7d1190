/**
 * Takes a payment that a provider has reported: once, and into exactly one place. What the collection waits for is held
 * for it; what it cannot take goes to suspense, where people decide. Spec: Transaction states (payin), What the service
 * does (3). Open points OP-104 and OP-168.
 */
import type { Context } from '../context.ts';
import { unreachable } from '../kernel/assert.ts';
import { makeEntry } from '../ledger/entry.ts';
import { MAX_MINOR } from '../money/amount.ts';
import { type PayinReceipt, placeOf, type ReceiptReason, referenceIn } from '../payins/receipt.ts';
import { AMOUNT_CODE, failureOf, PAID_REASON } from '../payins/state-reason.ts';
import type { Payment } from '../providers/payin-provider.ts';
import {
  failAnew,
  failPayin,
  hasOpenPrompt,
  type PayinAtDesk,
  type PayinKey,
  payinAt,
  reasoned,
  toPending,
} from './payin-steps.ts';
import { canResize, resize } from './resize.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

type ReceiveContext = Pick<Context, 'ids' | 'catalogue' | 'settings'>;

interface ToldPayment extends Payment {
  readonly provider: string;
  readonly attemptId: string | null;
}

/** What a payment does to its collection. */
type Verdict = 'receive' | 'mispay' | Exclude<ReceiptReason, 'expected'>;

/**
 * Whether the payment is new. Told again of its collection, it changes nothing. Told of another one, it may be the same
 * payment or a second one, and nobody here can tell: it goes to suspense, where people can. Open point OP-215.
 */
export function receivePayment(ctx: ReceiveContext, desk: TransactionDesk, key: PayinKey, told: ToldPayment): boolean {
  const { accountId, transactionId } = key;
  const { provider, reference } = told;
  const knownFor = (paymentReference: string) => desk.payins.knownFor({ accountId, provider, paymentReference });
  const owner = knownFor(reference);
  const isOfAnother = owner !== undefined && owner !== transactionId;
  const stored = isOfAnother ? { ...told, reference: referenceIn(reference, transactionId) } : told;
  if (knownFor(stored.reference) !== undefined) return false;
  // As the payments before have left it: one of them may have ended it.
  const at = payinAt(desk, key);
  const verdict = isOfAnother ? 'surplus' : decidePayment(ctx, desk, at, told.minor);
  const isTaken = verdict === 'receive' || verdict === 'mispay';
  store(ctx, desk, at, stored, isTaken ? 'expected' : verdict);
  switch (verdict) {
    case 'receive':
    case 'mispay':
      take(ctx, desk, key, told, verdict);
      return true;
    case 'amount':
      // The payer may try again; what came waits for people. A prompt that followed the one it was paid under goes on.
      if (told.attemptId === null || !hasOpenPrompt(desk, key)) failByAmount(desk, key);
      return true;
    case 'late':
    case 'surplus':
      return true;
    default:
      return unreachable(verdict);
  }
}

/** Also where the prompt had failed: without a word the payer would be prompted again, and would pay twice. */
function failByAmount(desk: TransactionDesk, key: PayinKey): void {
  const fail = payinAt(desk, key).method.state === 'error' ? failAnew : failPayin;
  fail(desk, key, failureOf(AMOUNT_CODE));
}

function decidePayment(
  ctx: ReceiveContext,
  { now }: TransactionDesk,
  { transaction, method }: PayinAtDesk,
  minor: bigint,
): Verdict {
  const { state, paidAmount, inputAmount, fundedAt } = transaction;
  if (state === 'initial' || state === 'canceled') return 'late';
  const isOpen = state === 'approved' || state === 'pending';
  const windowEnds = fundedAt === null ? 0 : fundedAt.getTime() + ctx.settings.payins.mispaidWindowMs;
  // What comes after the payout has begun is not added any more.
  const addsUp = state === 'mispaid' && now.getTime() < windowEnds && paidAmount !== inputAmount;
  if (!isOpen && !addsUp) return 'surplus';
  if (method.state === 'canceled' || method.state === 'refunded' || method.state === 'exception') return 'late';
  const total = paidAmount + minor;
  if (total === inputAmount) return 'receive';
  const allowsOther = ctx.catalogue.payin(method.type)?.allowsAnotherAmount === true;
  return allowsOther && total <= MAX_MINOR && canResize(transaction, total) ? 'mispay' : 'amount';
}

function store(
  { ids }: Pick<Context, 'ids'>,
  desk: TransactionDesk,
  { transaction, method }: PayinAtDesk,
  told: ToldPayment,
  reason: ReceiptReason,
): void {
  const { accountId, transactionId, inputCurrency: currency } = transaction;
  const entry = placeOf({ reason }) === 'held' ? 'payin_received' : 'late_payin';
  const amounts = [{ currency, minor: told.minor }];
  const transfers = makeEntry(ids, entry, { accountId, transactionId, postedAt: desk.now, amounts });
  desk.post(transfers);
  for (const { entryId } of transfers) {
    const receipt: PayinReceipt = {
      accountId,
      receiptId: ids.next(),
      transactionId,
      payinMethodId: method.payinMethodId,
      attemptId: told.attemptId,
      provider: told.provider,
      paymentReference: told.reference,
      currency,
      amount: told.minor,
      reason,
      entryId,
      receivedAt: desk.now,
    };
    desk.payins.addReceipt(receipt);
  }
}

/** The money counts: for the payin method, and for its transaction. */
function take(
  ctx: ReceiveContext,
  desk: TransactionDesk,
  key: PayinKey,
  { minor, attemptId }: ToldPayment,
  how: 'receive' | 'mispay',
): void {
  // First: a prompt that had failed takes its reason back from the transaction.
  toPending(desk, key, null);
  const { transaction: before, method: prompted } = payinAt(desk, key);
  const paidAmount = before.paidAmount + minor;
  const fundedAt = before.fundedAt ?? desk.now;
  desk.putTransaction(reasoned({ ...before, paidAmount, fundedAt }, PAID_REASON));
  // A prompt that had failed is that of the payin method again: more may come under it.
  const last = prompted.attemptId ?? attemptId;
  const done = { ...prompted, attemptId: last, stateReasonDetails: PAID_REASON, errorCount: 0, otpGiven: false };
  if (how === 'receive') {
    desk.movePayin(done, 'succeed');
    waitForMore(desk, before, null);
  } else {
    desk.movePayin(done, 'mispay');
    const windowEnds = new Date(fundedAt.getTime() + ctx.settings.payins.mispaidWindowMs);
    waitForMore(desk, before, windowEnds);
    if (windowEnds <= desk.now) resize(desk, before);
  }
  desk.move(before.transactionId, how);
}

/** Until when the payout waits: for the end of the window, or not at all. */
function waitForMore(desk: TransactionDesk, { recipients }: WholeTransaction, until: Date | null): void {
  for (const recipient of recipients) {
    desk.putRecipient({ ...recipient, nextAttemptAt: until });
  }
}
