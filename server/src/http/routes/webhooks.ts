/** Where events go: list, register, read, delete; and the names to choose from. Published. Open points OP-60, OP-61. */
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { isObject, readId } from '../../kernel/storable.ts';
import type { CreateWebhookAnswer, CreateWebhookCommand } from '../../webhooks/create-webhooks.ts';
import type { DeleteWebhookAnswer, DeleteWebhookCommand } from '../../webhooks/delete-webhooks.ts';
import { EVENT_NAMES } from '../../webhooks/events.ts';
import { findWebhook, pageOfWebhooks } from '../../webhooks/find-webhooks.ts';
import type { HttpSender } from '../../webhooks/http-sender.ts';
import { viewWebhook } from '../../webhooks/view.ts';
import { callOf, takeCall } from '../authenticate.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/webhook.ts';
import type { Routes } from '../server.ts';
import { draftWebhook } from '../webhook-draft.ts';

/** The operations, each behind its batch runner. */
export interface WebhookOperations {
  create(command: CreateWebhookCommand): Promise<CreateWebhookAnswer>;
  remove(command: DeleteWebhookCommand): Promise<DeleteWebhookAnswer>;
  /** Sends test events. */
  readonly httpClient: Pick<HttpSender, 'send'>;
}

type WebhookContext = Pick<Context, 'db' | 'ids' | 'settings'>;

export function webhookRoutes(ctx: WebhookContext, operations: Pick<WebhookOperations, 'create' | 'remove'>): Routes {
  return (server) => {
    addReads(server, ctx);
    server.post(
      '/v1/webhooks',
      {
        config: { call: 'operation', envelope: 'webhook' },
        serializerCompiler,
        validatorCompiler,
        schema: { body: schemas.WebhookBody, response: { 200: schemas.WebhookAnswer } },
      },
      async (request, reply) => {
        const input = isObject(request.body) ? request.body['webhook'] : undefined;
        const drafted = draftWebhook(input, ctx.settings.mode);
        if (!drafted.ok) return sendRefused(reply, { object: input ?? {}, refusals: drafted.refusals });
        const command = { call: takeCall(request), webhookId: ctx.ids.next(), draft: drafted.value };
        return answerCreate(reply, input, await operations.create(command));
      },
    );
    server.delete<{ Params: IdParams }>(
      '/v1/webhooks/:id',
      {
        config: { call: 'operation' },
        serializerCompiler,
        schema: { params: IdParams, response: { 200: schemas.WebhookAnswer } },
      },
      async (request, reply) => {
        const webhookId = readId(request.params.id);
        if (webhookId === undefined) return sendProblem(reply, 'not_found');
        const answer = await operations.remove({ call: takeCall(request), webhookId });
        if (answer.kind === 'deleted') return { object: viewWebhook(answer.webhook) };
        return sendProblem(reply, answer.kind === 'unknown' ? 'not_found' : 'nonce_used');
      },
    );
  };
}

function addReads(server: Parameters<Routes>[0], ctx: WebhookContext): void {
  server.get<{ Querystring: schemas.WebhookQuery }>(
    '/v1/webhooks',
    {
      config: { call: 'read', answersList: true },
      serializerCompiler,
      schema: { querystring: schemas.WebhookQuery, response: { 200: schemas.WebhookList } },
    },
    async (request) => {
      const asked = pageOf(request.query);
      const { webhooks, totalCount } = await pageOfWebhooks(ctx, { ...asked, accountId: callOf(request).accountId });
      return { object: webhooks.map(viewWebhook), meta: { pagination: paginationOf(asked, totalCount) } };
    },
  );
  server.get(
    '/v1/webhooks/events',
    { config: { call: 'read' }, serializerCompiler, schema: { response: { 200: schemas.WebhookEventList } } },
    async () => ({ object: EVENT_NAMES }),
  );
  server.get<{ Params: IdParams }>(
    '/v1/webhooks/:id',
    {
      config: { call: 'read' },
      serializerCompiler,
      schema: { params: IdParams, response: { 200: schemas.WebhookAnswer } },
    },
    async (request, reply) => {
      const { accountId } = callOf(request);
      const webhook = await findWebhook(ctx, { accountId, webhookId: request.params.id.toLowerCase() });
      return webhook ? { object: viewWebhook(webhook) } : sendProblem(reply, 'not_found');
    },
  );
}

function answerCreate(reply: FastifyReply, input: unknown, answer: CreateWebhookAnswer): unknown {
  if (answer.kind === 'created') return { object: viewWebhook(answer.webhook) };
  if (answer.kind === 'replayed') return sendProblem(reply, 'nonce_used');
  return sendRefused(reply, { object: input, refusals: answer.refusals });
}
