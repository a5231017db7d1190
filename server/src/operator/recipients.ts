/** What operators do with recipients that need them: each order in one commit with its audit row. */
import type { AuditObject } from '../accounts/audit.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type OperatorOrder, operateRecipients } from '../transactions/recipient-orders.ts';
import { ownerOf, type ShownRecipient, showRecipient } from '../transactions/show-recipient.ts';
import { isTransaction } from '../transactions/show-transaction.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { stateView } from './recipient-view.ts';

type OrderOf = OperatorOrder['order'];

const ACTIONS = {
  retry: 'recipient.retry',
  mark_paid: 'recipient.mark_paid',
  mark_failed: 'recipient.mark_failed',
  settle_part: 'recipient.settle_part',
  cancel: 'recipient.cancel',
} as const satisfies Record<OrderOf['do'], string>;

/**
 * Refuses with recipient_not_found, and by order: not_retriable, transaction_waits, not_markable, attempt_needed,
 * attempt_superseded, part_not_held, part_paid, no_part_paid, code_invalid, not_cancelable, evidence_needed,
 * call_under_way.
 */
export async function orderRecipient(
  ctx: OperatorContext,
  command: Command,
  recipientId: string,
  order: OrderOf,
): Promise<Outcome<ShownRecipient>> {
  const { do: what, ...said } = order;
  const outcome = await ctx.commands.run<ShownRecipient>(command, {
    name: ACTIONS[what],
    subject: recipientId,
    intent: said,
    change: (tx) => carryOut(ctx, tx, recipientId, { order, by: command, said }),
    recall: async (tx) => present(await showRecipient(tx, recipientId), 'the recipient that was ordered for'),
  });
  // Its next attempt is due, and events may have been stored.
  if (outcome.ok) for (const topic of ['transactions', 'deliveries'] as const) ctx.wake.wake(topic);
  return outcome;
}

async function carryOut(
  ctx: OperatorContext,
  tx: Tx,
  recipientId: string,
  { order, by, said }: { readonly order: OrderOf; readonly by: Command; readonly said: AuditObject },
): Promise<Outcome<Change<ShownRecipient>>> {
  const owner = await ownerOf(tx, recipientId);
  if (owner === undefined) return refusedAction('recipient_not_found');
  const [result] = await operateRecipients(ctx, tx, [{ ...owner, order }], by);
  if (result === undefined || result.kind === 'unknown') return refusedAction('recipient_not_found');
  if (result.kind === 'refused') return refusedAction(result.why);
  return done({
    answer: present(await showRecipient(tx, recipientId), 'the recipient that was ordered for'),
    subject: recipientId,
    before: stateView(result.before),
    after: { ...stateView(result.after), ...said },
  });
}

/** Refuses with recipient_not_found. */
export function findRecipient(ctx: OperatorContext, recipientId: string): Promise<Outcome<ShownRecipient>> {
  return ctx.db.inTx(async (tx) => {
    const shown = await showRecipient(tx, recipientId);
    if (shown !== undefined) return done(shown);
    // The two ids look alike, and lists show both.
    if (!(await isTransaction(tx, recipientId))) return refusedAction('recipient_not_found');
    return refusedAction(
      'recipient_not_found',
      'this is the id of a transaction; payferry transaction show has its recipients',
    );
  });
}
