/** Reading API logs: one by id, or a page of them, newest first. Open points OP-40, OP-87 and OP-94. */
import type { Context } from '../context.ts';
import type { ApiLog, ApiLogQuery } from './api-log.ts';
import { countApiLogs, listApiLogs, readApiLog } from './store.ts';

export interface ApiLogPage {
  readonly logs: readonly ApiLog[];
  readonly totalCount: number;
}

const DAY_MS = 86_400_000;

/** Undefined: this account has no such log, or no longer. */
export function findApiLog(
  ctx: Pick<Context, 'db'>,
  key: { readonly accountId: string; readonly apiLogId: string },
): Promise<ApiLog | undefined> {
  return ctx.db.inTx((tx) => readApiLog(tx, key));
}

export function pageOfApiLogs(ctx: Pick<Context, 'db'>, query: ApiLogQuery): Promise<ApiLogPage> {
  const { accountId, page, per, createdAtFrom, createdAtTo } = query;
  const filter = {
    accountId,
    from: createdAtFrom === undefined ? null : startOf(createdAtFrom),
    before: createdAtTo === undefined ? null : new Date(startOf(createdAtTo).getTime() + DAY_MS),
  };
  return ctx.db.inTx(async (tx) => ({
    logs: await listApiLogs(tx, filter, { offset: (page - 1) * per, limit: per }),
    totalCount: await countApiLogs(tx, filter),
  }));
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
