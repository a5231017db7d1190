/** The SQL of the API logs. */
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { ApiLog, HeaderMap } from './api-log.ts';

const COLUMNS = `l.account_id, l.api_log_id, l.request_method, l.request_url, l.request_headers, l.request_body,
  l.response_status, l.response_headers, l.response_body, l.created_at`;

interface StoredApiLog {
  account_id: string;
  api_log_id: string;
  request_method: string;
  request_url: string;
  request_headers: HeaderMap;
  request_body: string;
  response_status: number;
  response_headers: HeaderMap;
  response_body: string;
  created_at: Date;
}

export interface ApiLogFilter {
  readonly accountId: string;
  /** Created at or after. */
  readonly from: Date;
  /** Created before. */
  readonly before: Date;
}

const INSERT = `insert into api_logs (account_id, api_log_id, request_method, request_url, request_headers, request_body,
       response_status, response_headers, response_body, created_at)
     select a.account_id, u.api_log_id, u.request_method, u.request_url, u.request_headers::json, u.request_body,
       u.response_status, u.response_headers::json, u.response_body, u.created_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[], $9::text[],
         $10::text[], $11::timestamptz[])
       as u (account_id, api_log_id, request_method, request_url, request_headers, request_body, response_status,
         response_headers, response_body, created_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}
     on conflict do nothing`;

/** Rows that are there already stay as they are: a batch whose commit was not confirmed is stored again. */
export async function insertApiLogs(tx: Tx, logs: readonly ApiLog[]): Promise<void> {
  await tx.execute(INSERT, [
    accountIdsOf(logs),
    logs.map((log) => log.accountId),
    logs.map((log) => log.apiLogId),
    logs.map((log) => log.requestMethod),
    logs.map((log) => log.requestUrl),
    logs.map((log) => JSON.stringify(log.requestHeaders)),
    logs.map((log) => log.requestBody),
    logs.map((log) => log.responseStatus),
    logs.map((log) => JSON.stringify(log.responseHeaders)),
    logs.map((log) => log.responseBody),
    logs.map((log) => log.createdAt),
  ]);
}

export async function readApiLog(
  tx: Tx,
  key: { readonly accountId: string; readonly apiLogId: string },
): Promise<ApiLog | undefined> {
  const rows = await tx.query<StoredApiLog>(
    `select ${COLUMNS}
     from api_logs l
     where l.account_id = $1::uuid and l.api_log_id = $2::uuid`,
    [key.accountId, key.apiLogId],
  );
  return rows.map(apiLogOf)[0];
}

/** Newest first. Those before the page are passed over in the index alone. */
export async function listApiLogs(
  tx: Tx,
  { accountId, from, before }: ApiLogFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ApiLog[]> {
  const rows = await tx.query<StoredApiLog>(
    `select ${COLUMNS}
     from (
       select o.api_log_id
       from api_logs o
       where o.account_id = $1::uuid and o.created_at >= $2::timestamptz and o.created_at < $3::timestamptz
       order by o.created_at desc, o.api_log_id desc
       offset $4::bigint limit $5::integer) p
     join api_logs l on l.account_id = $1::uuid and l.api_log_id = p.api_log_id
     order by l.created_at desc, l.api_log_id desc`,
    [accountId, from, before, offset, limit],
  );
  return rows.map(apiLogOf);
}

export async function countApiLogs(tx: Tx, { accountId, from, before }: ApiLogFilter): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from api_logs l
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
     where exists (select 1 from api_logs l where l.account_id = a.account_id and l.created_at < $1::timestamptz)
     limit $2::integer`,
    [before, limit],
  );
  return rows.map((row) => row.account_id);
}

/** The oldest first; tells how many went. */
export async function deleteOldApiLogs(
  tx: Tx,
  { accountId, before, limit }: { readonly accountId: string; readonly before: Date; readonly limit: number },
): Promise<number> {
  return tx.execute(
    `delete from api_logs l
     where l.account_id = $1::uuid and l.api_log_id = any(array(
       select o.api_log_id
       from api_logs o
       where o.account_id = $1::uuid and o.created_at < $2::timestamptz
       order by o.created_at
       limit $3::integer))`,
    [accountId, before, limit],
  );
}

function apiLogOf(row: StoredApiLog): ApiLog {
  return {
    accountId: row.account_id,
    apiLogId: row.api_log_id,
    requestMethod: row.request_method,
    requestUrl: row.request_url,
    requestHeaders: row.request_headers,
    requestBody: row.request_body,
    responseStatus: row.response_status,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    createdAt: row.created_at,
  };
}
