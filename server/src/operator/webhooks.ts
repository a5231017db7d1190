/**
 * Sending events again, by an operator: an action like all others, with its row in the audit log. Open point OP-119.
 */
import { type AuditObject, auditText } from '../accounts/audit.ts';
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { type RedeliveryWish, redeliver } from '../webhooks/redeliver.ts';
import type { Command, OperatorContext } from './command.ts';

interface Redelivered {
  readonly count: number;
  readonly hasMore: boolean;
}

/** Refuses with account_not_found, event_not_found, webhook_not_found, webhook_disabled. */
export function redeliverEvents(
  ctx: OperatorContext,
  command: Command,
  { accountId, wish }: { readonly accountId: string; readonly wish: RedeliveryWish },
): Promise<Outcome<Redelivered>> {
  const intent = wishView(wish);
  return ctx.commands.run<Redelivered>(command, {
    name: 'webhook.redeliver',
    subject: accountId,
    intent,
    change: async (tx) => {
      const account = await accountById(tx, accountId);
      if (!account.ok) return account;
      const result = await redeliver(tx, accountId, wish, ctx.clock.now());
      if (!result.ok) return refusedAction(result.why);
      const { count, hasMore } = result;
      const after = { ...intent, count: String(count), has_more: String(hasMore) };
      return done({ answer: { count, hasMore }, subject: accountId, before: null, after });
    },
    recall: async (_tx, row) => ({
      count: Number(auditText(row.after, 'count')),
      hasMore: auditText(row.after, 'has_more') === 'true',
    }),
  });
}

function wishView(wish: RedeliveryWish): AuditObject {
  if (wish.kind === 'event') return { event_id: wish.eventId, webhook_id: wish.webhookId };
  const { from, to, webhookId, toWebhookId } = wish;
  return { from: from.toISOString(), to: to.toISOString(), webhook_id: webhookId, to_webhook_id: toWebhookId };
}
