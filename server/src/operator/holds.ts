/** What operators do with transactions under review: each decision in one commit with its audit row. */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present } from '../kernel/assert.ts';
import { type HeldTransaction, type HoldOrder, orderHeld, showHeld } from '../transactions/hold-orders.ts';
import { type ShownHold, showHold } from '../transactions/show-payins.ts';
import type { Command, OperatorContext } from './command.ts';
import { heldStateView } from './hold-view.ts';

const ACTIONS = { release: 'hold.release', cancel: 'hold.cancel' } as const satisfies Record<HoldOrder['do'], string>;

/** Refuses with transaction_not_found, not_held, and by order: edited_since, sender_holds, not_cancelable. */
export async function decideHeld(
  ctx: OperatorContext,
  command: Command,
  transactionId: string,
  order: Omit<HoldOrder, 'by'>,
): Promise<Outcome<HeldTransaction>> {
  const said = { reason: order.reason, ...(order.asOf !== undefined && { as_of: order.asOf }) };
  const outcome = await ctx.commands.run<HeldTransaction>(command, {
    name: ACTIONS[order.do],
    subject: transactionId,
    intent: said,
    change: async (tx) => {
      const result = await orderHeld(ctx, tx, transactionId, { ...order, by: command });
      if (result.kind === 'refused') return refusedAction(result.why);
      const { before, after } = result;
      return done({
        answer: after,
        subject: transactionId,
        before: heldStateView(before),
        after: { ...heldStateView(after), ...said },
      });
    },
    recall: async (tx) => present(await showHeld(tx, transactionId), 'the transaction that was decided on'),
  });
  // Its payouts are due, or refunds have stored events.
  if (outcome.ok) for (const topic of ['transactions', 'deliveries'] as const) ctx.wake.wake(topic);
  return outcome;
}

export async function findHeld(ctx: OperatorContext, transactionId: string): Promise<Outcome<ShownHold>> {
  const shown = await ctx.db.inTx((tx) => showHold(tx, transactionId));
  return shown ? done(shown) : refusedAction('transaction_not_found');
}
