/** What operators do about payments of payers: each decision in one commit with its audit row. */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present } from '../kernel/assert.ts';
import { findReceipt } from '../payins/find-receipts.ts';
import type { ListedReceipt } from '../payins/receipt.ts';
import {
  orderSuspended,
  type RefundOrder,
  refundCollection,
  type ShownCollection,
  type SuspenseOrder,
  showCollection,
} from '../transactions/payin-orders.ts';
import type { Command, OperatorContext } from './command.ts';
import { collectionView, receiptView } from './payin-view.ts';

const ACTIONS = { accept: 'payin.accept', return: 'payin.return' } as const satisfies Record<
  SuspenseOrder['do'],
  string
>;

type Unsigned<Order> = Order extends SuspenseOrder | RefundOrder ? Omit<Order, 'by'> : never;

/** Refuses with payin_not_found, not_in_suspense, already_decided, and accepting with balance_too_large. */
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
export async function refundCollected(
  ctx: OperatorContext,
  command: Command,
  transactionId: string,
  { reason, evidence }: Unsigned<RefundOrder>,
): Promise<Outcome<ShownCollection>> {
  const show = async (tx: Parameters<typeof showCollection>[0]) =>
    present(await showCollection(tx, transactionId), 'the collection that was refunded');
  const outcome = await ctx.commands.run<ShownCollection>(command, {
    name: 'payin.refund',
    subject: transactionId,
    intent: { reason, evidence },
    change: async (tx) => {
      const result = await refundCollection(ctx, tx, transactionId, { by: command.operator, reason, evidence });
      if (!result.ok) return refusedAction(result.why);
      const answer = await show(tx);
      const { amount, currency, payin_state } = collectionView(answer);
      return done({
        answer,
        subject: transactionId,
        before: { amount, currency, payin_state: result.was },
        after: { amount, currency, payin_state, reason, evidence },
      });
    },
    recall: show,
  });
  if (outcome.ok) ctx.wake.wake('deliveries');
  return outcome;
}
