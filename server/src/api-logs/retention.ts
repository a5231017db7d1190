/** Deletes API logs whose retention is over. */
import type { Context } from '../context.ts';
import { dropOld } from '../storage/drop-old.ts';
import { accountsWithOldLogs, deleteOldApiLogs } from './store.ts';

export function dropOldApiLogs({ db, clock, settings }: Pick<Context, 'db' | 'clock' | 'settings'>): Promise<number> {
  const before = new Date(clock.now().getTime() - settings.api_logs.retentionMs);
  return dropOld(db, {
    accountsWith: (tx, limit) => accountsWithOldLogs(tx, before, limit),
    deleteOldest: (tx, accountId, limit) => deleteOldApiLogs(tx, { accountId, before, limit }),
  });
}
