/** Work on senders, for metrics: found by the same index that workers claim it by. */
import type { Queryable } from '../kernel/database.ts';
import type { DueRows } from '../observability/metrics.ts';

export async function readDueSenders(db: Queryable, now: Date): Promise<DueRows> {
  const [row] = await db.query<{ due: bigint; oldest: Date | null }>(
    `select count(*) as due, min(s.due_at) as oldest
     from senders s
     where s.due_at is not null and s.due_at <= $1::timestamptz`,
    [now],
  );
  const oldest = row?.oldest ?? null;
  return {
    kind: 'senders',
    due: Number(row?.due ?? 0n),
    // A claim lasts no longer than its database transaction, and is not seen from outside.
    claimed: 0,
    oldestSeconds: oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1_000,
  };
}
