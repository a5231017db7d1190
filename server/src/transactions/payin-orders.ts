/**
 * What operators decide about money of payers: accept what is in suspense, return it, or give back what was collected.
 * In the transaction of the caller, who writes the audit row into the same commit. No provider is called: its port has
 * no refund, so that the operator returns the money and says here what shows it. Open points OP-208, OP-209, OP-210 and
 * OP-211.
 */
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import type { Context } from '../context.ts';
import { isBarred } from '../holds/hold.ts';
import { assert, present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { openBook } from '../ledger/book.ts';
import { makeEntry, type Transfer } from '../ledger/entry.ts';
import { readReleases } from '../ledger/release-store.ts';
import { MAX_MINOR } from '../money/amount.ts';
import { findReceiptOwner, readReceiptsOf, resolveReceipts } from '../payins/decision-store.ts';
import { placeOf, type ReceiptDecision, type StoredReceipt } from '../payins/receipt.ts';
import { type PayinMethodState, payinMethodTable } from '../payins/states.ts';
import { openHoldDesk } from './hold-desk.ts';
import { readWholeTransactions } from './load.ts';
import { findTransactionOwner } from './owner-store.ts';
import { openCollection, openCollections } from './payin-desk.ts';
import { payinAt } from './payin-steps.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

/** A collection with every payment into it. */
export interface ShownCollection {
  readonly transaction: WholeTransaction;
  readonly receipts: readonly StoredReceipt[];
}

type OrderContext = Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock'>;

interface Said {
  /** Name of the operator. */
  readonly by: string;
  readonly reason: string;
}

export type SuspenseOrder = Said &
  ({ readonly do: 'accept' } | { readonly do: 'return' /** What shows it. */; readonly evidence: string });

export interface RefundOrder extends Said {
  readonly evidence: string;
}

export type PayinOrderResult =
  /** `was`: the state of the payin method before. */
  { readonly ok: true; readonly was: PayinMethodState } | { readonly ok: false; readonly why: OperatorRefusalCode };

const no = (why: OperatorRefusalCode): PayinOrderResult => ({ ok: false, why });

/** Refuses with payin_not_found, not_in_suspense, already_decided, under_review, balance_too_large. */
export async function orderSuspended(
  ctx: OrderContext,
  tx: Tx,
  receiptId: string,
  order: SuspenseOrder,
): Promise<PayinOrderResult> {
  const key = await findReceiptOwner(tx, receiptId);
  if (key === undefined) return no('payin_not_found');
  const desk = await openCollections(ctx, tx, [key]);
  const receipts = await readReceiptsOf(tx, [key]);
  const receipt = present(
    receipts.find((each) => each.receiptId === key.receiptId),
    'the payment that was found',
  );
  if (placeOf(receipt) !== 'suspense') return no('not_in_suspense');
  if (receipt.decision !== null) return no('already_decided');
  const { transaction, method } = payinAt(desk, receipt);
  if (order.do === 'accept' && (await isInDoubt(ctx, tx, transaction))) return no('under_review');
  const { accountId, transactionId, currency, amount } = receipt;
  const entry = order.do === 'accept' ? 'suspense_accepted' : 'suspense_returned';
  const amounts = [{ currency, minor: amount }];
  const transfers = makeEntry(ctx.ids, entry, { accountId, transactionId, postedAt: desk.now, amounts });
  if (order.do === 'accept') {
    const book = await openBook(tx, [{ accountId, currency, ledgerAccount: 'balance' }]);
    if (book.amount(accountId, currency, 'balance') + amount > MAX_MINOR) return no('balance_too_large');
  } else if (isLastReturn(receipt, receipts)) {
    refundCanceled(desk, receipt);
  }
  await carryOut(tx, desk, transfers, [receipt], order);
  return { ok: true, was: method.state };
}

/** Nobody's money gets past those who decide about it: they come first, or the payer has it back. Open point OP-243. */
async function isInDoubt(ctx: OrderContext, tx: Tx, transaction: WholeTransaction): Promise<boolean> {
  const holds = await openHoldDesk(ctx, tx, { transactions: [transaction], hasRules: false });
  return isBarred(transaction.sender) || holds.open(transaction).length > 0;
}

/** Nothing of the payin method's money is left with us. */
function isLastReturn(receipt: StoredReceipt, receipts: readonly StoredReceipt[]): boolean {
  const others = receipts.filter(
    ({ payinMethodId, receiptId }) => payinMethodId === receipt.payinMethodId && receiptId !== receipt.receiptId,
  );
  return others.every(({ decision }) => decision?.resolution === 'returned');
}

/**
 * A payin method that took no more money, and whose payer has everything back. Others keep the state that they have.
 */
function refundCanceled(desk: TransactionDesk, receipt: StoredReceipt): void {
  const { method } = payinAt(desk, receipt);
  if (method.state === 'canceled') desk.movePayin(method, 'refund');
}

/**
 * Gives everything that was collected back to the payer, once. Refuses with transaction_not_found, not_a_collection,
 * already_refunded, not_collected, insufficient_balance.
 */
export async function refundCollection(
  ctx: OrderContext,
  tx: Tx,
  transactionId: string,
  order: RefundOrder,
): Promise<PayinOrderResult> {
  const opened = await openCollection(ctx, tx, transactionId);
  if (!opened.ok) return opened;
  const { desk, transaction } = opened;
  const receipts = (await readReceiptsOf(tx, [transaction])).filter((receipt) => placeOf(receipt) === 'held');
  const [first] = receipts;
  if (first === undefined) return no('not_collected');
  if (receipts.some(({ decision }) => decision !== null)) return no('already_refunded');
  const { method } = payinAt(desk, first);
  const releases = await readReleases(tx, [transaction]);
  const transfers = returnOf(ctx, transaction, releases, desk.now);
  if (transfers === undefined || payinMethodTable.move(method.state, 'refund') === undefined) {
    return no('not_collected');
  }
  const { currency, amount } = present(transfers[0], 'the transfer out of the balance');
  const balance = { accountId: transaction.accountId, currency, ledgerAccount: 'balance' } as const;
  const book = await openBook(tx, [balance]);
  if (!book.canGive(balance, amount)) return no('insufficient_balance');
  desk.movePayin(method, 'refund');
  await carryOut(tx, desk, transfers, receipts, { ...order, do: 'return' });
  return { ok: true, was: method.state };
}

/**
 * The way back of what is in the balance: the same amounts as on the way in, so that the payer gets what was paid.
 * Undefined: it is not in the balance.
 */
function returnOf(
  { ids }: Pick<Context, 'ids'>,
  transaction: WholeTransaction,
  releases: ReadonlyMap<string, string>,
  postedAt: Date,
): Transfer[] | undefined {
  const { accountId, transactionId, inputCurrency, paidAmount, recipients } = transaction;
  const [recipient, ...others] = recipients;
  assert(recipient !== undefined && others.length === 0, 'a collection has one recipient');
  const about = { accountId, transactionId, postedAt };
  const paid = { currency: inputCurrency, minor: paidAmount };
  switch (releases.get(recipient.recipientId)) {
    case 'collected':
    case 'refund':
      return makeEntry(ids, 'collection_returned', { ...about, amounts: [paid] });
    case 'collected_exchanged': {
      const collected = { currency: recipient.outputCurrency, minor: recipient.outputAmount };
      return makeEntry(ids, 'collection_returned_exchanged', { ...about, amounts: [collected, paid] });
    }
    default:
      return undefined;
  }
}

async function carryOut(
  tx: Tx,
  desk: TransactionDesk,
  transfers: readonly Transfer[],
  receipts: readonly StoredReceipt[],
  order: SuspenseOrder,
): Promise<void> {
  const decision: ReceiptDecision = {
    resolution: order.do === 'accept' ? 'accepted' : 'returned',
    at: desk.now,
    by: order.by,
    reason: order.reason,
    evidence: order.do === 'return' ? order.evidence : null,
    entryId: present(transfers[0], 'a transfer').entryId,
  };
  desk.post(transfers);
  await desk.write(tx);
  await resolveReceipts(
    tx,
    receipts.map((receipt) => ({ ...receipt, decision })),
  );
}

export async function showCollection(tx: Tx, transactionId: string): Promise<ShownCollection | undefined> {
  const key = await findTransactionOwner(tx, transactionId);
  if (key === undefined) return undefined;
  const [transactions, receipts] = await Promise.all([readWholeTransactions(tx, [key]), readReceiptsOf(tx, [key])]);
  return { transaction: present(transactions.get(key.transactionId), 'the transaction that was found'), receipts };
}
