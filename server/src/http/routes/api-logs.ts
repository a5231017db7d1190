/** The caller's own calls, to be looked up. Published. Open points OP-40, OP-87 and OP-94. */
import { findApiLog, pageOfApiLogs } from '../../api-logs/find.ts';
import { viewApiLog } from '../../api-logs/view.ts';
import type { Context } from '../../context.ts';
import { readId } from '../../kernel/storable.ts';
import { callOf } from '../authenticate.ts';
import { createdDaysOf } from '../created-days.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler } from '../plain-routes.ts';
import { sendProblem } from '../problem.ts';
import * as schemas from '../schemas/api-log.ts';
import type { Routes } from '../server.ts';

export function apiLogRoutes(ctx: Pick<Context, 'db'>): Routes {
  return (server) => {
    server.get<{ Querystring: schemas.ApiLogQuery }>(
      '/v1/api_logs',
      {
        config: { call: 'read', answersList: true },
        serializerCompiler,
        schema: { querystring: schemas.ApiLogQuery, response: { 200: schemas.ApiLogList } },
      },
      async (request) => {
        const { query } = request;
        const asked = pageOf(query);
        const { logs, totalCount } = await pageOfApiLogs(ctx, {
          ...asked,
          accountId: callOf(request).accountId,
          ...createdDaysOf(query),
        });
        return { object: logs.map(viewApiLog), meta: { pagination: paginationOf(asked, totalCount) } };
      },
    );
    server.get<{ Params: schemas.IdParams }>(
      '/v1/api_logs/:id',
      {
        config: { call: 'read' },
        serializerCompiler,
        schema: { params: schemas.IdParams, response: { 200: schemas.ApiLogAnswer } },
      },
      async (request, reply) => {
        const { accountId } = callOf(request);
        const apiLogId = readId(request.params.id);
        const log = apiLogId === undefined ? undefined : await findApiLog(ctx, { accountId, apiLogId });
        return log ? { object: viewApiLog(log) } : sendProblem(reply, 'not_found');
      },
    );
  };
}
