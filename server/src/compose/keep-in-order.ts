/** What every process does now and then: partitions for the nonces to come, and an end to what was kept long enough. */
import { keepNonceBuckets } from '../accounts/nonce-buckets.ts';
import { dropOldApiLogs } from '../api-logs/retention.ts';
import type { Context } from '../context.ts';
import { dropOldEvents, dropOldWebhookLogs } from '../webhooks/retention.ts';
import type { Closing } from './closing.ts';
import { every } from './every.ts';
import type { OpenClock } from './open-clock.ts';

const HOUR_MS = 3_600_000;

/**
 * The first time before anybody calls, then once an hour, unless the clock is wrong: what is old goes by it. Nothing of
 * it keeps a process from starting.
 */
export async function keepInOrder(
  ctx: Context,
  { closing, time }: { readonly closing: Closing; readonly time: Pick<OpenClock, 'whyNot'> },
): Promise<void> {
  const warn = (name: string) => (fault: unknown) => ctx.log.warn(name, {}, fault);
  const keepPartitions = () => keepNoncePartitions(ctx).catch(warn('nonce partitions'));
  await keepPartitions();
  const hourly = (name: string, turn: () => Promise<unknown>) => {
    const turnByClock = async () => ((await time.whyNot()) === undefined ? turn() : undefined);
    closing.add(name, every(HOUR_MS, turnByClock, warn(name)));
  };
  hourly('nonce partitions', keepPartitions);
  // A clock that was moved by a day needs the partitions of that day.
  ctx.wake.on('clock', () => void keepPartitions());
  hourly('old API logs', () => dropOldApiLogs(ctx));
  hourly('old webhook logs', () => dropOldWebhookLogs(ctx));
  hourly('old events', () => dropOldEvents(ctx));
}

async function keepNoncePartitions({ db, clock, settings, log }: Context): Promise<void> {
  const { notNow } = await keepNonceBuckets(db, clock.now(), settings.nonces.retentionMs);
  if (notNow !== null) log.warn('a nonce partition waits: somebody reads the table', { partition: notNow });
}
