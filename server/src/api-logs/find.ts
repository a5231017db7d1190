/** Reading API logs: one by id, or a page of them, newest first. Open points OP-40, OP-87 and OP-94. */
import type { Context } from '../context.ts';
import type { LogPage, LogQuery } from '../storage/log-table.ts';
import type { ApiLog } from './api-log.ts';
import { apiLogs } from './store.ts';

/** Undefined: this account has no such log, or no longer. */
export function findApiLog(
  ctx: Pick<Context, 'db'>,
  { accountId, apiLogId }: { readonly accountId: string; readonly apiLogId: string },
): Promise<ApiLog | undefined> {
  return ctx.db.inTx((tx) => apiLogs.read(tx, { accountId, id: apiLogId }));
}

export function pageOfApiLogs(ctx: Pick<Context, 'db'>, query: LogQuery): Promise<LogPage<ApiLog>> {
  return ctx.db.inTx((tx) => apiLogs.page(tx, query));
}
