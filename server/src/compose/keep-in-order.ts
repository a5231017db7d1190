/** What every process does now and then: partitions for the nonces to come, and an end to what was kept long enough. */
import { keepNonceBuckets } from '../accounts/nonce-buckets.ts';
import { dropOldApiLogs } from '../api-logs/retention.ts';
import type { Context } from '../context.ts';
import { dropOldEvents, dropOldWebhookLogs } from '../webhooks/retention.ts';
import type { Closing } from './closing.ts';
import { type Hourly, soonThenHourly } from './hourly.ts';
import type { OpenClock } from './open-clock.ts';

interface Around {
  readonly closing: Closing;
  readonly time: Pick<OpenClock, 'whyNot'>;
  /** The simulation has its own: an hour is an hour there. */
  readonly hourly?: Hourly;
}

/**
 * Partitions the first time before anybody calls, then everything once an hour, unless the clock is wrong: what is old
 * goes by it. Nothing of it keeps a process from starting.
 */
export async function keepInOrder(ctx: Context, { closing, time, hourly = soonThenHourly() }: Around): Promise<void> {
  const warn = (name: string) => (fault: unknown) => ctx.log.warn(name, {}, fault);
  const keepPartitions = () => keepNoncePartitions(ctx).catch(warn('nonce partitions'));
  await keepPartitions();
  const add = (name: string, turn: () => Promise<unknown>) => {
    const turnByClock = async () => ((await time.whyNot()) === undefined ? turn() : undefined);
    closing.add(name, hourly(turnByClock, warn(name)));
  };
  add('nonce partitions', keepPartitions);
  // A clock that was moved by a day needs the partitions of that day.
  ctx.wake.on('clock', () => void keepPartitions());
  add('old API logs', () => dropOldApiLogs(ctx));
  add('old webhook logs', () => dropOldWebhookLogs(ctx));
  add('old events', () => dropOldEvents(ctx));
}

async function keepNoncePartitions({ db, clock, settings, log }: Context): Promise<void> {
  const { notNow } = await keepNonceBuckets(db, clock.now(), settings.nonces.retentionMs);
  if (notNow !== null) log.warn('a nonce partition waits: somebody reads the table', { partition: notNow });
}
