/** Deletes webhook logs and events whose retention is over. */
import type { Context } from '../context.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { dropOld } from '../storage/drop-old.ts';
import { accountsWithOldEvents, deleteOldEvents } from './event-retention-store.ts';
import { webhookLogs } from './log-store.ts';

type RetentionContext = Pick<Context, 'db' | 'clock' | 'settings'>;

export function dropOldWebhookLogs({ db, clock, settings }: RetentionContext): Promise<number> {
  return dropOld(db, webhookLogs.olderThan(new Date(clock.now().getTime() - settings.webhooks.logRetentionMs)));
}

/** With their deliveries. Those that are on their way stay, and those that the logs still show. */
export async function dropOldEvents({ db, clock, settings }: RetentionContext): Promise<number> {
  const { eventRetentionMs, logRetentionMs } = settings.webhooks;
  if (eventRetentionMs === null) return 0;
  const nowMs = clock.now().getTime();
  const old = { beforeId: firstIdAt(nowMs - eventRetentionMs), endedBefore: new Date(nowMs - logRetentionMs) };
  return dropOld(db, {
    accountsWith: (tx, limit) => accountsWithOldEvents(tx, old, limit),
    deleteOldest: (tx, accountId, limit) => deleteOldEvents(tx, { accountId, limit, ...old }),
  });
}
