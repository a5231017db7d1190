/** The SQL of the API logs. */
import type { Tx } from '../kernel/database.ts';
import { LogTable } from '../storage/log-table.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
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

const API_LOGS = rowsOf<ApiLog>('api_logs', {
  account_id: ['uuid', (log) => log.accountId],
  api_log_id: ['uuid', (log) => log.apiLogId],
  request_method: ['text', (log) => log.requestMethod],
  request_url: ['text', (log) => log.requestUrl],
  request_headers: ['json', (log) => JSON.stringify(log.requestHeaders)],
  request_body: ['text', (log) => log.requestBody],
  response_status: ['smallint', (log) => log.responseStatus],
  response_headers: ['json', (log) => JSON.stringify(log.responseHeaders)],
  response_body: ['text', (log) => log.responseBody],
  created_at: ['timestamptz', (log) => log.createdAt],
});

export function insertApiLogs(tx: Tx, logs: readonly ApiLog[]): Promise<void> {
  return addRows(tx, API_LOGS, logs);
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
