/** The SQL of the API logs. */
import type { Tx } from '../kernel/database.ts';
import { LogTable } from '../storage/log-table.ts';
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

export const apiLogs = new LogTable({ table: 'api_logs', id: 'api_log_id', columns: COLUMNS, logOf: apiLogOf });

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
