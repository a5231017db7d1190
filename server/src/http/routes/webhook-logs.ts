/** What was sent to the account's webhooks and what they answered. Published. Open points OP-40, OP-87 and OP-94. */
import type { Context } from '../../context.ts';
import { readId } from '../../kernel/storable.ts';
import { findLog, pageOfLogs } from '../../webhooks/find-logs.ts';
import { viewLog } from '../../webhooks/log-view.ts';
import { callOf } from '../authenticate.ts';
import { createdDaysOf } from '../created-days.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler } from '../plain-routes.ts';
import { sendProblem } from '../problem.ts';
import { IdParams } from '../schemas/api-log.ts';
import * as schemas from '../schemas/webhook-log.ts';
import type { Routes } from '../server.ts';

export function webhookLogRoutes(ctx: Pick<Context, 'db'>): Routes {
  return (server) => {
    server.get<{ Querystring: schemas.WebhookLogQuery }>(
      '/v1/logs/webhooks',
      {
        config: { call: 'read', answersList: true },
        serializerCompiler,
        schema: { querystring: schemas.WebhookLogQuery, response: { 200: schemas.WebhookLogList } },
      },
      async (request) => {
        const { query } = request;
        const asked = pageOf(query);
        const { logs, totalCount } = await pageOfLogs(ctx, {
          ...asked,
          accountId: callOf(request).accountId,
          ...createdDaysOf(query),
        });
        return { object: logs.map(viewLog), meta: { pagination: paginationOf(asked, totalCount) } };
      },
    );
    server.get<{ Params: IdParams }>(
      '/v1/logs/:id',
      {
        config: { call: 'read' },
        serializerCompiler,
        schema: { params: IdParams, response: { 200: schemas.WebhookLogAnswer } },
      },
      async (request, reply) => {
        const { accountId } = callOf(request);
        const attemptId = readId(request.params.id);
        const log = attemptId === undefined ? undefined : await findLog(ctx, { accountId, attemptId });
        return log ? { object: viewLog(log) } : sendProblem(reply, 'not_found');
      },
    );
  };
}
