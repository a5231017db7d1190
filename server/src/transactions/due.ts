/** Work that is due on transactions, for metrics: found by the same index that a worker claims it by. */
import type { Queryable } from '../kernel/database.ts';
import type { DueRows } from '../observability/metrics.ts';

/** Transactions whose hour is over and that still wait for funds. They accept none: a debit is refused as expired. */
export async function readDueExpiries(db: Queryable, now: Date): Promise<DueRows> {
  const [row] = await db.query<{ due: bigint; oldest: Date | null }>(
    `select count(*) as due, min(t.expiry_due_at) as oldest
     from transactions t
     where t.expiry_due_at is not null and t.expiry_due_at <= $1::timestamptz`,
    [now],
  );
  const oldest = row?.oldest ?? null;
  return {
    kind: 'expiry',
    due: Number(row?.due ?? 0n),
    claimed: 0,
    oldestSeconds: oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1_000,
  };
}
