/**
 * Sending again: one event, or everything that was dropped in a time range. It begins anew, with all its attempts, in
 * the order of its object, under the same event id; a receiver may therefore see an event twice. Open point OP-119.
 */
import type { Tx } from '../kernel/database.ts';
import { readEvents } from './event-store.ts';
import { beginAgain, beginDroppedAgain } from './redelivery-store.ts';
import { readWebhooks } from './webhook-store.ts';

export type RedeliveryWish =
  | { readonly kind: 'event'; readonly eventId: string; readonly webhookId: string | null }
  | {
      readonly kind: 'dropped';
      readonly from: Date;
      readonly to: Date;
      readonly webhookId: string | null;
      /** Another webhook in place of the one that they were meant for. */
      readonly toWebhookId: string | null;
    };

export type Redelivery =
  | { readonly ok: true; readonly count: number; readonly hasMore: boolean }
  | { readonly ok: false; readonly why: 'event_not_found' | 'webhook_not_found' | 'webhook_disabled' };

/** Of one request; the next one takes those that are left. */
const MAX_REDELIVERED = 10_000;

export async function redeliver(tx: Tx, accountId: string, wish: RedeliveryWish, now: Date): Promise<Redelivery> {
  const target = wish.kind === 'event' ? wish.webhookId : wish.toWebhookId;
  if (target !== null) {
    const [webhook] = await readWebhooks(tx, [{ accountId, webhookId: target }]);
    if (!webhook) return { ok: false, why: 'webhook_not_found' };
    if (webhook.disabledAt !== null) return { ok: false, why: 'webhook_disabled' };
  }
  if (wish.kind === 'dropped') {
    const count = await beginDroppedAgain(tx, { ...wish, accountId, limit: MAX_REDELIVERED }, now);
    return { ok: true, count, hasMore: count === MAX_REDELIVERED };
  }
  const { eventId, webhookId } = wish;
  if (!(await readEvents(tx, [{ accountId, eventId }])).has(eventId)) return { ok: false, why: 'event_not_found' };
  return { ok: true, count: await beginAgain(tx, { accountId, eventId, webhookId }, now), hasMore: false };
}
