/** Reading API logs: one by id, or a page of them, newest first. Open points OP-40, OP-87 and OP-94. */
import type { Context } from '../context.ts';
import { spanOf } from '../kernel/created-days.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import type { ApiLog, ApiLogQuery } from './api-log.ts';
import { countApiLogs, listApiLogs, readApiLog } from './store.ts';

export interface ApiLogPage {
  readonly logs: readonly ApiLog[];
  readonly totalCount: number;
}

/** Undefined: this account has no such log, or no longer. */
export function findApiLog(
  ctx: Pick<Context, 'db'>,
  key: { readonly accountId: string; readonly apiLogId: string },
): Promise<ApiLog | undefined> {
  return ctx.db.inTx((tx) => readApiLog(tx, key));
}

export function pageOfApiLogs(ctx: Pick<Context, 'db'>, query: ApiLogQuery): Promise<ApiLogPage> {
  const { accountId, page, per } = query;
  const filter = { accountId, ...spanOf(query) };
  const place = { offset: (page - 1) * per, limit: per };
  return ctx.db.inTx(async (tx) => {
    const logs = await listApiLogs(tx, filter, place);
    const totalCount = await totalCountOf({ shown: logs.length, ...place }, () => countApiLogs(tx, filter));
    return { logs, totalCount };
  });
}
