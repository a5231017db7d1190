/** What operators decide about senders: each decision in one commit with its audit row. */
import { listAuditOf } from '../accounts/audit.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { operateSender, type ReviewOrder } from '../reviews/operate.ts';
import { type ShownSender, showSender } from '../reviews/show.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { ACTIONS, decisionsIn, type PastDecision } from './past-decisions.ts';
import { senderStateView } from './review-view.ts';

export type Decision = Pick<ReviewOrder, 'do' | 'reason' | 'asOf'>;

/**
 * Refuses with sender_not_found, and by decision: not_in_review, edited_since, check_due, second_person_needed,
 * not_rejectable, not_bannable, not_liftable.
 */
export async function decideOnSender(
  ctx: OperatorContext,
  command: Command,
  senderId: string,
  decision: Decision,
): Promise<Outcome<ShownSender>> {
  const outcome = await ctx.commands.run<ShownSender>(command, {
    name: ACTIONS[decision.do],
    subject: senderId,
    intent: saidIn(decision),
    change: (tx) => carryOut(ctx, tx, command, senderId, decision),
    recall: async (tx) => present(await showSender(tx, senderId), 'the sender that was decided on'),
  });
  // Its checks may be due, its transactions may go on, and an event may have been stored.
  if (outcome.ok) for (const topic of ['senders', 'transactions', 'deliveries'] as const) ctx.wake.wake(topic);
  return outcome;
}

function saidIn({ reason, asOf }: Decision) {
  return { reason, ...(asOf !== undefined && { as_of: asOf }) };
}

async function carryOut(
  ctx: OperatorContext,
  tx: Tx,
  { operator }: Command,
  senderId: string,
  decision: Decision,
): Promise<Outcome<Change<ShownSender>>> {
  const result = await operateSender(ctx, tx, { senderId, operator, ...decision });
  if (result.kind === 'unknown') return refusedAction('sender_not_found');
  if (result.kind === 'refused') return refusedAction(result.why);
  const { before, after, review } = result;
  return done({
    answer: present(await showSender(tx, senderId), 'the sender that was decided on'),
    subject: senderId,
    before: senderStateView(before, undefined),
    after: { ...senderStateView(after, review), ...saidIn(decision) },
  });
}

export async function findForReview(
  ctx: OperatorContext,
  senderId: string,
): Promise<Outcome<ShownSender & { readonly decisions: readonly PastDecision[] }>> {
  return ctx.db.inTx(async (tx) => {
    const shown = await showSender(tx, senderId);
    if (shown === undefined) return refusedAction('sender_not_found');
    const audited = await listAuditOf(tx, { subjects: [senderId], since: shown.sender.createdAt });
    return done({ ...shown, decisions: decisionsIn(audited).reverse() });
  });
}
