/** The SQL that deletes old events. Ids begin with the time, so they are the index by which old ones are found. */
import type { Tx } from '../kernel/database.ts';

interface OldEvents {
  /** Events with a lower id are old. */
  readonly beforeId: string;
  /** Those of which a delivery has not ended before stay. */
  readonly endedBefore: Date;
}

/** Of an event `e`, with the first id that is not old and the time before which all its deliveries have ended. */
const MAY_GO = `e.event_id < $1::uuid and not exists (
    select 1 from webhook_deliveries d
    where d.account_id = e.account_id and d.event_id = e.event_id
      and (d.finished_at is null or d.finished_at >= $2::timestamptz))`;

/** Accounts that have some. One look into the index for each account. */
export async function accountsWithOldEvents(
  tx: Tx,
  { beforeId, endedBefore }: OldEvents,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ account_id: string }>(
    `select a.account_id
     from accounts a
     where exists (select 1 from events e where e.account_id = a.account_id and ${MAY_GO})
     limit $3::integer`,
    [beforeId, endedBefore, limit],
  );
  return rows.map((row) => row.account_id);
}

/**
 * The oldest first; tells how many went. They are locked before anything is deleted: whoever sends one of them again
 * (redelivery-store.ts) either is seen here, or finds that it is gone.
 */
export async function deleteOldEvents(
  tx: Tx,
  { accountId, limit, beforeId, endedBefore }: OldEvents & { readonly accountId: string; readonly limit: number },
): Promise<number> {
  const chosen = await tx.query<{ event_id: string }>(
    `select e.event_id
     from events e
     where e.account_id = $3::uuid and ${MAY_GO}
     order by e.event_id
     limit $4::integer
     for update of e`,
    [beforeId, endedBefore, accountId, limit],
  );
  const eventIds = chosen.map((row) => row.event_id);
  const [, gone] = await Promise.all([
    tx.execute(
      `delete from webhook_deliveries d
       where d.account_id = $1::uuid and d.event_id = any($2::uuid[]) and d.finished_at < $3::timestamptz`,
      [accountId, eventIds, endedBefore],
    ),
    tx.execute(
      `delete from events e
       where e.account_id = $1::uuid and e.event_id = any($2::uuid[]) and not exists (
         select 1 from webhook_deliveries d where d.account_id = $1::uuid and d.event_id = e.event_id)`,
      [accountId, eventIds],
    ),
  ]);
  return gone;
}
