/** Spec: Endpoint 14, Sender. The further paths and parameters are published. Open points OP-9, OP-50, OP-59. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { refuse } from '../../kernel/refusal.ts';
import { isObject, readId } from '../../kernel/storable.ts';
import { makeWish } from '../../senders/desk.ts';
import type { DisableAnswer, DisableCommand } from '../../senders/disable.ts';
import { findSender, pageOfSenders } from '../../senders/find.ts';
import type { SenderAnswer, SenderCommand } from '../../senders/put.ts';
import type { PlacedAt } from '../../senders/reference.ts';
import { viewSender } from '../../senders/view.ts';
import { callOf, takeCall } from '../authenticate.ts';
import { createdDaysOf } from '../created-days.ts';
import { namesAnother, refuseOther } from '../other-id.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/sender.ts';
import type { Routes } from '../server.ts';

/** The operations, each behind its batch runner. */
export interface SenderOperations {
  put(command: SenderCommand): Promise<SenderAnswer>;
  disable(command: DisableCommand): Promise<DisableAnswer>;
}

type SenderContext = Pick<Context, 'db' | 'ids'>;

export function senderRoutes(ctx: SenderContext, operations: SenderOperations): Routes {
  const put = async (request: FastifyRequest, reply: FastifyReply, placed: PlacedAt) => {
    const input = isObject(request.body) ? request.body['sender'] : undefined;
    if (input === undefined) return sendRefused(reply, { object: {}, refusals: [refuse('blank', 'sender')] });
    if (placed.place === 'path' && namesAnother(input, placed.senderId)) return refuseOther(reply, input);
    const call = takeCall(request);
    const wish = makeWish(ctx.ids, { accountId: call.accountId, at: call.at, placed, input });
    return answerPut(reply, input, await operations.put({ call, wish }));
  };
  return (server) => {
    addReads(server, ctx);
    const body = { body: schemas.SenderBody, response: { 200: schemas.SenderAnswer } };
    const operation = { config: { call: 'operation', envelope: 'sender' }, serializerCompiler } as const;
    server.post('/v1/senders', { ...operation, validatorCompiler, schema: body }, (request, reply) =>
      put(request, reply, { place: 'senders' }),
    );
    server.patch<{ Params: IdParams }>(
      '/v1/senders/:id',
      { ...operation, validatorCompiler, schema: { ...body, params: IdParams } },
      async (request, reply) => {
        const senderId = readId(request.params.id);
        if (senderId === undefined) return sendProblem(reply, 'not_found');
        return put(request, reply, { place: 'path', senderId });
      },
    );
    server.delete<{ Params: IdParams }>(
      '/v1/senders/:id',
      { ...operation, schema: { params: IdParams, response: { 200: schemas.SenderAnswer } } },
      async (request, reply) => {
        const senderId = request.params.id.toLowerCase();
        const answer = await operations.disable({ call: takeCall(request), senderId });
        if (answer.kind === 'disabled') return { object: viewSender(answer.sender) };
        return sendProblem(reply, answer.kind === 'unknown' ? 'not_found' : 'nonce_used');
      },
    );
  };
}

function addReads(server: Parameters<Routes>[0], ctx: SenderContext): void {
  const config = { call: 'read', answersList: true } as const;
  server.get<{ Querystring: schemas.SenderQuery }>(
    '/v1/senders',
    { config, serializerCompiler, schema: { querystring: schemas.SenderQuery, response: { 200: schemas.SenderList } } },
    async (request) => {
      const { query } = request;
      const asked = pageOf(query);
      const { senders, totalCount } = await pageOfSenders(ctx, {
        ...asked,
        accountId: callOf(request).accountId,
        ...(query.external_id !== undefined && { externalId: query.external_id }),
        ...createdDaysOf(query),
      });
      return { object: senders.map(viewSender), meta: { pagination: paginationOf(asked, totalCount) } };
    },
  );
  server.get<{ Params: IdParams }>(
    '/v1/senders/:id',
    {
      config: { call: 'read' },
      serializerCompiler,
      schema: { params: IdParams, response: { 200: schemas.SenderAnswer } },
    },
    async (request, reply) => {
      const { accountId } = callOf(request);
      const sender = await findSender(ctx, { accountId, senderId: request.params.id });
      return sender ? { object: viewSender(sender) } : sendProblem(reply, 'not_found');
    },
  );
}

function answerPut(reply: FastifyReply, input: unknown, answer: SenderAnswer): unknown {
  switch (answer.kind) {
    case 'created':
    case 'updated':
    case 'used':
      return { object: viewSender(answer.sender) };
    case 'refused': {
      const { refusals, existing } = answer;
      const shown = { object: input, refusals };
      return sendRefused(reply, existing ? { ...shown, existing: { sender: viewSender(existing) } } : shown);
    }
    case 'unknown':
      return sendProblem(reply, 'not_found');
    case 'replayed':
      return sendProblem(reply, 'nonce_used');
  }
}
