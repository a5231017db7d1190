/** Webhooks and deliveries of an account, for its operators. */
import type { Context } from '../context.ts';
import { type DeliveryListQuery, type ListedDelivery, listDeliveries } from './delivery-list-store.ts';
import type { Webhook } from './webhook.ts';
import { listWebhooks } from './webhook-store.ts';

export type { DeliveryPlace, ListedDelivery } from './delivery-list-store.ts';

/** More than an account can have enabled; of disabled ones that nobody deleted the newest are shown. */
const MAX_LISTED_WEBHOOKS = 200;

export function webhooksOf(ctx: Pick<Context, 'db'>, accountId: string): Promise<Webhook[]> {
  return ctx.db.inTx((tx) => listWebhooks(tx, { accountId, offset: 0, limit: MAX_LISTED_WEBHOOKS }));
}

export function deliveriesOf(ctx: Pick<Context, 'db'>, query: DeliveryListQuery): Promise<ListedDelivery[]> {
  return ctx.db.inTx((tx) => listDeliveries(tx, query));
}
