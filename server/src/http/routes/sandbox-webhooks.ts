/**
 * Trying webhooks out, in sandbox mode only: sending events again, and a test event. Ours, so not under /v1. Open
 * points OP-119 and OP-120.
 */
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { readId } from '../../kernel/storable.ts';
import type { HttpSender } from '../../webhooks/http-sender.ts';
import { type Redelivery, redeliver } from '../../webhooks/redeliver.ts';
import { RedeliveryBody, readRedelivery } from '../../webhooks/redelivery-body.ts';
import { sendTest } from '../../webhooks/send-test.ts';
import { callOf } from '../authenticate.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/webhook.ts';
import type { Routes } from '../server.ts';

type SandboxContext = Pick<Context, 'db' | 'seal' | 'clock' | 'ids' | 'settings' | 'wake'>;

export function sandboxWebhookRoutes(ctx: SandboxContext, httpClient: Pick<HttpSender, 'send'>): Routes {
  return (server) => {
    if (ctx.settings.mode !== 'sandbox') return;
    server.post<{ Body: RedeliveryBody }>(
      '/sandbox/webhooks/redeliver',
      {
        config: { call: 'read' },
        serializerCompiler,
        schema: { body: RedeliveryBody, response: { 200: schemas.RedeliveryAnswer } },
      },
      async (request, reply) => {
        const wish = readRedelivery(request.body);
        if (!wish.ok) return sendRefused(reply, { object: request.body, refusals: wish.refusals });
        const { accountId } = callOf(request);
        const result = await ctx.db.inTx((tx) => redeliver(tx, accountId, wish.value, ctx.clock.now()));
        if (result.ok) ctx.wake.wake('deliveries');
        return answer(reply, request.body, result);
      },
    );
    server.post<{ Params: IdParams }>(
      '/sandbox/webhooks/:id/test',
      {
        config: { call: 'read' },
        serializerCompiler,
        validatorCompiler,
        schema: { params: IdParams, body: schemas.NoBody, response: { 200: schemas.WebhookTestAnswer } },
      },
      async (request, reply) => {
        const { accountId } = callOf(request);
        const webhookId = readId(request.params.id);
        const test = webhookId === undefined ? undefined : await sendTest(ctx, httpClient, { accountId, webhookId });
        if (!test) return sendProblem(reply, 'not_found');
        const { isDelivered: delivered, says, status, tookMs } = test;
        return { object: { delivered, says, status, took_ms: tookMs } };
      },
    );
  };
}

function answer(reply: FastifyReply, input: RedeliveryBody, result: Redelivery): unknown {
  if (result.ok) return { object: { count: result.count, has_more: result.hasMore } };
  return sendRefused(reply, { object: input, refusals: [refusalOf(result.why, input)] });
}

/** What a range names as `webhook_id` is where its events came from; where they go has a name of its own. */
function refusalOf(why: Extract<Redelivery, { ok: false }>['why'], input: RedeliveryBody): Refusal {
  if (why === 'event_not_found') return refuse('not_found', 'event_id');
  const target = 'event_id' in input ? 'webhook_id' : 'to_webhook_id';
  return refuse(why === 'webhook_not_found' ? 'not_found' : 'invalid', target);
}
