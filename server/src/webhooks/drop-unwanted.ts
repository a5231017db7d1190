/**
 * Drops what waits for a webhook that was disabled or deleted: nobody is going to take it. In portions, because a dead
 * endpoint may have very many. An event that was being stored while its webhook ended still brings a delivery, so a
 * webhook counts as empty only when it has been looked at some time after its end. Spec: Events (4).
 */
import type { Context } from '../context.ts';
import { dropOpen, markEmptied, readEndedWebhooks } from './drop-store.ts';

const MAX_WEBHOOKS_PER_TURN = 50;
const MAX_DROPPED_PER_TURN = 1_000;
const QUIET_MARGIN_MS = 60_000;
/** Of the statements behind the one that stores events: for accounts, for balances, and for a standby at the commit. */
const MAX_WAITS = 3;

/** Does one portion and tells whether there is more. */
export async function dropUnwanted(ctx: Pick<Context, 'db' | 'clock' | 'settings'>): Promise<boolean> {
  const now = ctx.clock.now();
  const quietMs = longestStoringMs(ctx);
  const ended = await ctx.db.inTx((tx) => readEndedWebhooks(tx, MAX_WEBHOOKS_PER_TURN));
  let hasMore = false;
  for (const webhook of ended) {
    const dropped = await ctx.db.inTx((tx) => dropOpen(tx, webhook, { now, limit: MAX_DROPPED_PER_TURN }));
    hasMore ||= dropped === MAX_DROPPED_PER_TURN;
    const isQuiet = now.getTime() - webhook.endedAt.getTime() > quietMs;
    if (dropped === 0 && isQuiet) await ctx.db.inTx((tx) => markEmptied(tx, webhook, now));
  }
  return hasMore;
}

/** Longer than a transaction may take that has stored events: it may wait for rows, and its process may sleep. */
function longestStoringMs({ settings: { database } }: Pick<Context, 'settings'>): number {
  return MAX_WAITS * database.statementTimeoutMs + database.idleInTxTimeoutMs + QUIET_MARGIN_MS;
}
