/** Work on senders, for metrics: found by the same index that workers claim it by. */
import type { Queryable } from '../kernel/database.ts';
import { dueRows } from '../observability/due-rows.ts';
import type { DueRows } from '../observability/metrics.ts';

export async function readDueSenders(db: Queryable, now: Date): Promise<DueRows> {
  const [row] = await db.query<{ due: bigint; oldest: Date | null }>(
    `select count(*) as due, min(s.due_at) as oldest
     from senders s
     where s.due_at is not null and s.due_at <= $1::timestamptz`,
    [now],
  );
  return dueRows('senders', row, now);
}
