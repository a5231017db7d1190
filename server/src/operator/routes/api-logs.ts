/** The calls of accounts, to be looked up: those of an account, or one. Reading is no action. Open point OP-238. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { accountById } from '../../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../../accounts/operator-refusals.ts';
import { type ApiLogsListed, findAnyApiLog, type ListedApiLog, listApiLogs } from '../../api-logs/look-up.ts';
import { viewApiLog } from '../../api-logs/view.ts';
import { readDay } from '../../documents/dates.ts';
import type { OperatorContext } from '../command.ts';
import { cursorText, readCursor } from '../cursor.ts';
import { formed } from '../forms.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, DEFAULT_PAGE, limit, strict } from '../schemas.ts';

const ApiLogParams = Type.Object({ api_log_id: formed('uuid') });
const ApiLogsQuery = Type.Object(
  {
    created_at_from: Type.Optional(formed('day', { description: 'First day, in UTC.' })),
    created_at_to: Type.Optional(formed('day', { description: 'Last day, in UTC.' })),
    after: Type.Optional(formed('next')),
    limit,
  },
  strict,
);
type OfAccount = { Params: Type.Static<typeof AccountParams>; Querystring: Type.Static<typeof ApiLogsQuery> };

export function apiLogRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<OfAccount>(
    '/operator/accounts/:account_id/api-logs',
    { schema: { params: AccountParams, querystring: ApiLogsQuery } },
    async ({ params, query }, reply) =>
      sendOutcome(reply, await lookThrough(ctx, params.account_id, query), ({ logs, next }) => ({
        api_logs: logs.map(listedView),
        next: cursorText(next),
      })),
  );

  app.get<{ Params: Type.Static<typeof ApiLogParams> }>(
    '/operator/api-logs/:api_log_id',
    { schema: { params: ApiLogParams } },
    async ({ params }, reply) => {
      const log = await ctx.db.inTx((tx) => findAnyApiLog(tx, params.api_log_id));
      return sendOutcome(reply, log ? done(log) : refusedAction('api_log_not_found'), (found) => ({
        api_log: { account_id: found.accountId, ...viewApiLog(found) },
      }));
    },
  );
}

/** Refuses with account_not_found, invalid. */
function lookThrough(
  ctx: OperatorContext,
  accountId: string,
  query: OfAccount['Querystring'],
): Promise<Outcome<ApiLogsListed>> {
  const { created_at_from: from, created_at_to: to } = query;
  return ctx.db.inTx(async (tx) => {
    const account = await accountById(tx, accountId);
    if (!account.ok) return account;
    if ([from, to].some((day) => day !== undefined && readDay(day) === undefined)) {
      return refusedAction('invalid', 'created_at_from and created_at_to: no calendar has such a day');
    }
    if (from !== undefined && to !== undefined && from > to) {
      return refusedAction('invalid', 'created_at_from: is after created_at_to, the last day');
    }
    const found = await listApiLogs(tx, {
      accountId: account.value.accountId,
      ...(from !== undefined && { createdAtFrom: from }),
      ...(to !== undefined && { createdAtTo: to }),
      after: readCursor(query.after),
      limit: Number(query.limit ?? DEFAULT_PAGE),
    });
    return done(found);
  });
}

function listedView(log: ListedApiLog) {
  return {
    id: log.apiLogId,
    account_id: log.accountId,
    request_method: log.requestMethod,
    request_url: log.requestUrl,
    // A string, as callers see it.
    response_status: String(log.responseStatus),
    created_at: log.createdAt.toISOString(),
  };
}
