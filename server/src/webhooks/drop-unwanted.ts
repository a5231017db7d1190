/**
 * Drops what waits for a webhook that was disabled or deleted: nobody is going to take it. In portions, because a dead
 * endpoint may have very many. An event that was being stored while its webhook ended still brings a delivery, so a
 * webhook counts as empty only when it has been looked at some time after its end. Spec: Events (4).
 */
import type { Context } from '../context.ts';
import { dropOpen, markEmptied, readEndedWebhooks } from './drop-store.ts';

const MAX_WEBHOOKS_PER_TURN = 50;
const MAX_DROPPED_PER_TURN = 1_000;
/** Longer than a transaction that stores events may take. */
const QUIET_MS = 60_000;

/** Does one portion and tells whether there is more. */
export async function dropUnwanted(ctx: Pick<Context, 'db' | 'clock'>): Promise<boolean> {
  const now = ctx.clock.now();
  const ended = await ctx.db.inTx((tx) => readEndedWebhooks(tx, MAX_WEBHOOKS_PER_TURN));
  let hasMore = false;
  for (const webhook of ended) {
    const dropped = await ctx.db.inTx((tx) => dropOpen(tx, webhook, { now, limit: MAX_DROPPED_PER_TURN }));
    hasMore ||= dropped === MAX_DROPPED_PER_TURN;
    const isQuiet = now.getTime() - webhook.endedAt.getTime() > QUIET_MS;
    if (dropped === 0 && isQuiet) await ctx.db.inTx((tx) => markEmptied(tx, webhook, now));
  }
  return hasMore;
}
