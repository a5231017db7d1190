/** Deletes API logs whose retention is over. */
import type { Context } from '../context.ts';
import { dropOld } from '../storage/drop-old.ts';
import { apiLogs } from './store.ts';

export function dropOldApiLogs({ db, clock, settings }: Pick<Context, 'db' | 'clock' | 'settings'>): Promise<number> {
  return dropOld(db, apiLogs.olderThan(new Date(clock.now().getTime() - settings.api_logs.retentionMs)));
}
