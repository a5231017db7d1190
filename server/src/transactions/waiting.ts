/** How much waits for people, for metrics: counted along the indexes by which operators list it. */
import type { Queryable } from '../kernel/database.ts';
import type { Waiting } from '../observability/metrics.ts';

/** Transactions as `attention` has them, payments in suspense, and senders in review. */
export async function readWaiting(db: Queryable, now: Date): Promise<Waiting[]> {
  const rows = await db.query<{ kind: string; waiting: bigint; oldest: Date | null }>(
    `select 'transactions' as kind, count(*) as waiting, min(t.attention_at) as oldest
     from transactions t
     where t.attention_at is not null
     union all
     select 'payins', count(*), min(r.received_at)
     from payin_receipts r
     where r.place = 'suspense' and r.resolution is null
     union all
     select 'senders', count(*), min(v.opened_at)
     from sender_reviews v
     where v.closed_at is null`,
  );
  return rows.map(({ kind, waiting, oldest }) => ({
    kind,
    waiting: Number(waiting),
    oldestSeconds: oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1_000,
  }));
}
