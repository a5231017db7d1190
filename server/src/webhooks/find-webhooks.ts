/** Reading webhooks: one by id, or a page of them, newest first. Open points OP-40 and OP-60. */
import type { Context } from '../context.ts';
import type { Webhook, WebhookKey } from './webhook.ts';
import { countWebhooks, listWebhooks, readWebhooks } from './webhook-store.ts';

interface WebhookPage {
  readonly webhooks: readonly Webhook[];
  readonly totalCount: number;
}

/** Undefined: this account has no such webhook, or no longer. */
export function findWebhook(ctx: Pick<Context, 'db'>, key: WebhookKey): Promise<Webhook | undefined> {
  return ctx.db.inTx(async (tx) => (await readWebhooks(tx, [key]))[0]);
}

export function pageOfWebhooks(
  ctx: Pick<Context, 'db'>,
  { accountId, page, per }: { readonly accountId: string; readonly page: number; readonly per: number },
): Promise<WebhookPage> {
  return ctx.db.inTx(async (tx) => ({
    webhooks: await listWebhooks(tx, { accountId, offset: (page - 1) * per, limit: per }),
    totalCount: await countWebhooks(tx, accountId),
  }));
}
