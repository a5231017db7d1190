/** The SQL of webhook logs: attempts read back, and deleted when their retention is over. */
import type { Tx } from '../kernel/database.ts';
import type { WebhookLog } from './log.ts';

const COLUMNS = `l.account_id, l.attempt_id, l.webhook_id, l.event_id, l.key, l.tries, l.delivery_state, l.outcome_reason,
  l.request_headers, l.response_status, l.response_headers, l.response_body, l.created_at`;

interface StoredLog {
  account_id: string;
  attempt_id: string;
  webhook_id: string;
  event_id: string;
  key: string;
  tries: number;
  delivery_state: string;
  outcome_reason: string | null;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_headers: Record<string, string>;
  response_body: string;
  created_at: Date;
}

export interface LogFilter {
  readonly accountId: string;
  /** Created at or after. */
  readonly from: Date;
  /** Created before. */
  readonly before: Date;
}

export async function readLog(
  tx: Tx,
  key: { readonly accountId: string; readonly attemptId: string },
): Promise<WebhookLog | undefined> {
  const rows = await tx.query<StoredLog>(
    `select ${COLUMNS} from webhook_attempts l where l.account_id = $1::uuid and l.attempt_id = $2::uuid`,
    [key.accountId, key.attemptId],
  );
  return rows.map(logOf)[0];
}

/** Newest first. Those before the page are passed over in the index alone. */
export async function listLogs(
  tx: Tx,
  { accountId, from, before }: LogFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<WebhookLog[]> {
  const rows = await tx.query<StoredLog>(
    `select ${COLUMNS}
     from (
       select o.attempt_id
       from webhook_attempts o
       where o.account_id = $1::uuid and o.created_at >= $2::timestamptz and o.created_at < $3::timestamptz
       order by o.created_at desc, o.attempt_id desc
       offset $4::bigint limit $5::integer) p
     join webhook_attempts l on l.account_id = $1::uuid and l.attempt_id = p.attempt_id
     order by l.created_at desc, l.attempt_id desc`,
    [accountId, from, before, offset, limit],
  );
  return rows.map(logOf);
}

export async function countLogs(tx: Tx, { accountId, from, before }: LogFilter): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from webhook_attempts l
     where l.account_id = $1::uuid and l.created_at >= $2::timestamptz and l.created_at < $3::timestamptz`,
    [accountId, from, before],
  );
  return Number(rows[0]?.count ?? 0n);
}

/** Accounts that have rows from before that time. One look into the index for each account. */
export async function accountsWithOldLogs(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const rows = await tx.query<{ account_id: string }>(
    `select a.account_id
     from accounts a
     where exists (select 1 from webhook_attempts l where l.account_id = a.account_id and l.created_at < $1::timestamptz)
     limit $2::integer`,
    [before, limit],
  );
  return rows.map((row) => row.account_id);
}

/** The oldest first; tells how many went. */
export async function deleteOldLogs(
  tx: Tx,
  { accountId, before, limit }: { readonly accountId: string; readonly before: Date; readonly limit: number },
): Promise<number> {
  return tx.execute(
    `delete from webhook_attempts l
     where l.account_id = $1::uuid and l.attempt_id = any(array(
       select o.attempt_id
       from webhook_attempts o
       where o.account_id = $1::uuid and o.created_at < $2::timestamptz
       order by o.created_at
       limit $3::integer))`,
    [accountId, before, limit],
  );
}

function logOf(row: StoredLog): WebhookLog {
  return {
    accountId: row.account_id,
    attemptId: row.attempt_id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    key: row.key,
    tries: row.tries,
    deliveryState: row.delivery_state,
    outcomeReason: row.outcome_reason,
    requestHeaders: row.request_headers,
    responseStatus: row.response_status,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    createdAt: row.created_at,
  };
}
