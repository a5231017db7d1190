/** The SQL by which operators look for calls: in pages that begin behind one another, or by the id alone. */
import { type CreatedDays, spanOf } from '../kernel/created-days.ts';
import type { Cursor } from '../kernel/cursor.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { byIdAlone } from '../storage/tenants.ts';
import type { ApiLog } from './api-log.ts';

/** A call without headers and bodies: hundreds of those together would be megabytes. */
export type ListedApiLog = Pick<
  ApiLog,
  'accountId' | 'apiLogId' | 'requestMethod' | 'requestUrl' | 'responseStatus' | 'createdAt'
>;

interface StoredCall {
  account_id: string;
  api_log_id: string;
  request_method: string;
  request_url: string;
  response_status: number;
  created_at: Date;
}

/** Those that are older than this one, along the index of the newest however far back it is. */
export async function readApiLogsBefore(
  tx: Tx,
  query: CreatedDays & { readonly accountId: string; readonly before: Cursor; readonly limit: number },
): Promise<ListedApiLog[]> {
  const { accountId, before, limit, ...days } = query;
  const span = spanOf(days);
  const rows = await tx.query<StoredCall>(
    `select l.account_id, l.api_log_id, l.request_method, l.request_url, l.response_status, l.created_at
     from api_logs l
     where l.account_id = $1::uuid and l.created_at >= $2::timestamptz and l.created_at < $3::timestamptz
       and (l.created_at, l.api_log_id) < ($4::timestamptz, $5::uuid)
     order by l.created_at desc, l.api_log_id desc
     limit $6::integer`,
    [accountId, span.from, span.before, before.at, before.id, limit],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    apiLogId: row.api_log_id,
    requestMethod: row.request_method,
    requestUrl: row.request_url,
    responseStatus: row.response_status,
    createdAt: row.created_at,
  }));
}

export async function findApiLogOwner(
  db: Queryable,
  apiLogId: string,
): Promise<Pick<ApiLog, 'accountId' | 'apiLogId'> | undefined> {
  const [row] = await db.query<Pick<StoredCall, 'account_id' | 'api_log_id'>>(
    byIdAlone({ columns: 'l.account_id, l.api_log_id', from: 'api_logs l', id: 'api_log_id' }),
    [apiLogId],
  );
  return row && { accountId: row.account_id, apiLogId: row.api_log_id };
}
