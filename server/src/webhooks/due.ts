/** Deliveries that are due or being sent, and when the next one is: read at the index that they are claimed by. */
import type { Queryable } from '../kernel/database.ts';
import { dueRows } from '../observability/due-rows.ts';
import type { DueRows } from '../observability/metrics.ts';

export async function readDueDeliveries(db: Queryable, now: Date): Promise<DueRows> {
  const [row] = await db.query<{ due: bigint; claimed: bigint; oldest: Date | null }>(
    `select count(*) filter (where d.next_attempt_at <= $1::timestamptz) as due,
       count(*) filter (where d.next_attempt_at > $1::timestamptz and d.claim_id is not null) as claimed,
       min(d.next_attempt_at) filter (where d.next_attempt_at <= $1::timestamptz) as oldest
     from webhook_deliveries d
     where d.next_attempt_at is not null`,
    [now],
  );
  return dueRows('webhook_delivery', row, now);
}

/** The next time after now at which one is to be sent; those that are due already are on their way. */
export async function nextDeliveryAt(db: Queryable, now: Date): Promise<Date | null> {
  const [row] = await db.query<{ next_at: Date | null }>(
    `select min(d.next_attempt_at) as next_at
     from webhook_deliveries d
     where d.next_attempt_at > $1::timestamptz and d.claim_id is null`,
    [now],
  );
  return row?.next_at ?? null;
}

/** Whether somebody is sending one under a lease that lasts. */
export async function isDelivering(db: Queryable, now: Date): Promise<boolean> {
  const [row] = await db.query<{ is_delivering: boolean }>(
    `select exists (
       select 1 from webhook_deliveries d where d.next_attempt_at > $1::timestamptz and d.claim_id is not null
     ) as is_delivering`,
    [now],
  );
  return row?.is_delivering ?? false;
}
