/** Reading webhook logs: one by id, or a page of them, newest first. Open points OP-40, OP-87 and OP-94. */
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { LogPage, LogQuery } from '../storage/log-table.ts';
import { descriptorsFor, envelopeOf } from './envelope.ts';
import { readEvents } from './event-store.ts';
import type { WebhookLog, WholeLog } from './log.ts';
import { webhookLogs } from './log-store.ts';
import { readWebhooks } from './webhook-store.ts';

/** Undefined: this account has no such log, or no longer. */
export function findLog(
  ctx: Pick<Context, 'db'>,
  { accountId, attemptId }: { readonly accountId: string; readonly attemptId: string },
): Promise<WholeLog | undefined> {
  return ctx.db.inTx(async (tx) => {
    const log = await webhookLogs.read(tx, { accountId, id: attemptId });
    return log && (await wholeLogs(tx, [log]))[0];
  });
}

export function pageOfLogs(ctx: Pick<Context, 'db'>, query: LogQuery): Promise<LogPage<WholeLog>> {
  return ctx.db.inTx(async (tx) => {
    const { logs, totalCount } = await webhookLogs.page(tx, query);
    return { logs: await wholeLogs(tx, logs), totalCount };
  });
}

async function wholeLogs(tx: Tx, logs: readonly WebhookLog[]): Promise<WholeLog[]> {
  const events = await readEvents(tx, logs);
  const descriptors = await descriptorsFor(tx, events.values());
  const webhooks = await readWebhooks(tx, logs, { withDeleted: true });
  const byId = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]));
  return logs.flatMap((log) => {
    const event = events.get(log.eventId);
    // Its retention is over, and the log of it goes within the hour.
    if (event === undefined) return [];
    const webhook = present(byId.get(log.webhookId), 'webhook of a log');
    return [{ ...log, webhook, event, requestBody: envelopeOf(log.webhookId, event, descriptors) }];
  });
}
