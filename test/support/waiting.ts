/** What waits in the database of a test for what the test has locked there. */
import type { Queryable } from '../../server/src/kernel/database.ts';
import { until } from './until.ts';

/** Of this database alone: other tests have theirs on the same server. */
const WAITING = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** Resolves when so many sessions wait for a lock. */
export function untilWaiting(db: Queryable, sessions = 1): Promise<void> {
  return until(`${sessions} sessions wait for a lock`, async () => {
    const [row] = await db.query<{ count: number }>(WAITING);
    return (row?.count ?? 0) >= sessions;
  });
}
