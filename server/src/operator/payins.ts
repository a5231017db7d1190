/** What operators do about payments of payers: each decision in one commit with its audit row. */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { findReceipt } from '../payins/find-receipts.ts';
import type { ListedReceipt } from '../payins/receipt.ts';
import {
  orderSuspended,
  type PayinOrderResult,
  type RefundOrder,
  refundCollection,
  type ShownCollection,
  type SuspenseOrder,
  showCollection,
} from '../transactions/payin-orders.ts';
import { type FoundOut, resolveCollection } from '../transactions/resolve-collection.ts';
import { type ShownPrompts, showPayin, showPrompts, type WithPayer } from '../transactions/show-payins.ts';
import type { Command, OperatorContext } from './command.ts';
import { collectionView, receiptView } from './payin-view.ts';

const ACTIONS = { accept: 'payin.accept', return: 'payin.return' } as const satisfies Record<
  SuspenseOrder['do'],
  string
>;

type Unsigned<Order> = Order extends SuspenseOrder | RefundOrder ? Omit<Order, 'by'> : never;

/** Refuses with payin_not_found. */
export async function findPayin(
  ctx: Pick<OperatorContext, 'db'>,
  receiptId: string,
): Promise<Outcome<WithPayer<ListedReceipt>>> {
  const shown = await ctx.db.inTx((tx) => showPayin(tx, receiptId));
  return shown ? done(shown) : refusedAction('payin_not_found');
}

/** Refuses with transaction_not_found, not_a_collection. */
export async function findPrompts(
  ctx: Pick<OperatorContext, 'db'>,
  transactionId: string,
): Promise<Outcome<ShownPrompts>> {
  const shown = await ctx.db.inTx((tx) => showPrompts(tx, transactionId));
  if (shown === undefined) return refusedAction('transaction_not_found');
  return shown.transaction.isCollection ? done(shown) : refusedAction('not_a_collection');
}

/**
 * Refuses with payin_not_found, not_in_suspense, already_decided, and accepting with under_review and
 * balance_too_large.
 */
export async function decideSuspended(
  ctx: OperatorContext,
  command: Command,
  receiptId: string,
  order: Unsigned<SuspenseOrder>,
): Promise<Outcome<ListedReceipt>> {
  const said = { reason: order.reason, evidence: order.do === 'return' ? order.evidence : null };
  const outcome = await ctx.commands.run<ListedReceipt>(command, {
    name: ACTIONS[order.do],
    subject: receiptId,
    intent: said,
    change: async (tx) => {
      const result = await orderSuspended(ctx, tx, receiptId, { ...order, by: command.operator });
      if (!result.ok) return refusedAction(result.why);
      const answer = present(await findReceipt(tx, receiptId), 'the payment that was decided on');
      const { amount, currency, resolution } = receiptView(answer);
      const about = { amount, currency, transaction_id: answer.transactionId };
      return done({
        answer,
        subject: receiptId,
        before: { ...about, resolution: null },
        after: { ...about, resolution, ...said },
      });
    },
    recall: async (tx) => present(await findReceipt(tx, receiptId), 'the payment that was decided on'),
  });
  // Events may have been stored.
  if (outcome.ok) ctx.wake.wake('deliveries');
  return outcome;
}

/** Refuses with transaction_not_found, not_a_collection, already_refunded, not_collected, insufficient_balance. */
export function refundCollected(
  ctx: OperatorContext,
  command: Command,
  transactionId: string,
  said: Unsigned<RefundOrder>,
): Promise<Outcome<ShownCollection>> {
  return decideCollection(ctx, command, { name: 'payin.refund', transactionId, said }, (tx) =>
    refundCollection(ctx, tx, transactionId, { by: command.operator, ...said }),
  );
}

/** As it is written. */
interface ResolveWish {
  readonly reason: string;
  readonly outcome?: FoundOut['outcome'] | undefined;
  readonly reference?: string | undefined;
  readonly evidence?: string | undefined;
}

/**
 * Refuses with transaction_not_found, not_a_collection, not_broken, outcome_needed, outcome_not_asked, call_under_way,
 * reference_taken, and with invalid where what was found out is not told as a whole.
 */
export async function resolveBroken(
  ctx: OperatorContext,
  command: Command,
  transactionId: string,
  wish: ResolveWish,
): Promise<Outcome<ShownCollection>> {
  const { reason, evidence } = wish;
  const mistake = mistakeIn(wish);
  if (mistake !== undefined) return refusedAction('invalid', mistake);
  const found = foundIn(wish);
  const said = { reason, ...found, ...(evidence !== undefined && { evidence }) };
  const outcome = await decideCollection(ctx, command, { name: 'payin.resolve', transactionId, said }, (tx) =>
    resolveCollection(ctx, tx, transactionId, { found, by: command }),
  );
  // It may go on, or a prompt be taken back.
  if (outcome.ok) ctx.wake.wake('transactions');
  return outcome;
}

function mistakeIn({ outcome, reference, evidence }: ResolveWish): string | undefined {
  if ((outcome === undefined) !== (evidence === undefined)) return 'outcome and evidence are given together';
  const isNamed = reference !== undefined;
  return (outcome === 'paid') === isNamed ? undefined : 'reference is given with the outcome paid, and only then';
}

function foundIn({ outcome, reference }: ResolveWish): FoundOut | undefined {
  if (outcome === 'paid' && reference !== undefined) return { outcome, reference };
  return outcome === 'unpaid' ? { outcome } : undefined;
}

interface CollectionDecision {
  readonly name: string;
  readonly transactionId: string;
  readonly said: Readonly<Record<string, string>>;
}

async function decideCollection(
  ctx: OperatorContext,
  command: Command,
  { name, transactionId, said }: CollectionDecision,
  carryOut: (tx: Tx) => Promise<PayinOrderResult>,
): Promise<Outcome<ShownCollection>> {
  const show = async (tx: Tx) => present(await showCollection(tx, transactionId), 'the collection that was decided on');
  const outcome = await ctx.commands.run<ShownCollection>(command, {
    name,
    subject: transactionId,
    intent: said,
    change: async (tx) => {
      const result = await carryOut(tx);
      if (!result.ok) return refusedAction(result.why);
      const answer = await show(tx);
      const { amount, currency, payin_state } = collectionView(answer);
      return done({
        answer,
        subject: transactionId,
        before: { amount, currency, payin_state: result.was },
        after: { amount, currency, payin_state, ...said },
      });
    },
    recall: show,
  });
  if (outcome.ok) ctx.wake.wake('deliveries');
  return outcome;
}
