/** What every process does now and then: partitions for the nonces to come, and an end to what was kept long enough. */
import { keepNonceBuckets } from '../accounts/nonce-buckets.ts';
import { dropOldApiLogs } from '../api-logs/retention.ts';
import type { Context } from '../context.ts';
import { dropOldWebhookLogs } from '../webhooks/log-retention.ts';
import type { Closing } from './closing.ts';
import { every } from './every.ts';

const HOUR_MS = 3_600_000;

/** The first time before anybody calls, then once an hour. */
export async function keepInOrder(ctx: Context, closing: Closing): Promise<void> {
  const keepBuckets = () => keepNonceBuckets(ctx.db, ctx.clock.now(), ctx.settings.nonces.retentionMs);
  await keepBuckets();
  const hourly = (name: string, turn: () => Promise<unknown>) =>
    closing.add(
      name,
      every(HOUR_MS, turn, (fault) => ctx.log.warn(name, {}, fault)),
    );
  hourly('nonce buckets', keepBuckets);
  // A clock that was moved by a day needs the buckets of that day.
  ctx.wake.on('clock', () => void keepBuckets().catch((fault: unknown) => ctx.log.warn('nonce buckets', {}, fault)));
  hourly('old API logs', () => dropOldApiLogs(ctx));
  hourly('old webhook logs', () => dropOldWebhookLogs(ctx));
}
