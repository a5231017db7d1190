/** Work on transactions, for metrics: found by the same index that workers claim it by. */
import type { Queryable } from '../kernel/database.ts';
import { dueRows } from '../observability/due-rows.ts';
import type { DueRows } from '../observability/metrics.ts';

/** Due and not yet begun, and those that a process works on, or died over. */
export async function readDueTransactions(db: Queryable, now: Date): Promise<DueRows> {
  const [row] = await db.query<{ due: bigint; claimed: bigint; oldest: Date | null }>(
    `select count(*) filter (where not t.is_claimed and t.due_at <= $1::timestamptz) as due,
       count(*) filter (where t.is_claimed) as claimed,
       min(t.due_at) filter (where not t.is_claimed and t.due_at <= $1::timestamptz) as oldest
     from transactions t
     where t.due_at is not null and (t.is_claimed or t.due_at <= $1::timestamptz)`,
    [now],
  );
  return dueRows('transactions', row, now);
}
