/** Payout methods that a caller keeps for later use. Published. Open points OP-40, OP-87, OP-129 to OP-131. */
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import type { FieldDescriptors } from '../../corridors/descriptor.ts';
import { refuse } from '../../kernel/refusal.ts';
import { isObject, readId } from '../../kernel/storable.ts';
import type { MethodAnswer, MethodCommand } from '../../payout-methods/change.ts';
import { findPayoutMethod, pageOfPayoutMethods } from '../../payout-methods/find.ts';
import { viewPayoutMethod } from '../../payout-methods/view.ts';
import { callOf, takeCall } from '../authenticate.ts';
import { createdDaysOf } from '../created-days.ts';
import { namesAnother, refuseOther } from '../other-id.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/payout-method.ts';
import type { Routes } from '../server.ts';

/** The operation, behind its batch runner. */
export interface PayoutMethodOperations {
  change(command: MethodCommand): Promise<MethodAnswer>;
}

type MethodContext = Pick<Context, 'db' | 'ids' | 'catalogue'>;

export function payoutMethodRoutes(ctx: MethodContext, operations: PayoutMethodOperations): Routes {
  const params = IdParams;
  const response = { 200: schemas.PayoutMethodAnswer };
  const operation = { config: { call: 'operation' }, serializerCompiler, validatorCompiler } as const;
  const answer = (reply: FastifyReply, input: unknown, result: MethodAnswer) => answerChange(ctx, reply, input, result);
  return (server) => {
    addReads(server, ctx);
    server.post(
      '/v1/payout_methods',
      {
        ...operation,
        config: { call: 'operation', envelope: 'payout_method' },
        schema: { body: schemas.PayoutMethodBody, response },
      },
      async (request, reply) => {
        const input = isObject(request.body) ? request.body['payout_method'] : undefined;
        if (input === undefined)
          return sendRefused(reply, { object: {}, refusals: [refuse('blank', 'payout_method')] });
        const command = {
          call: takeCall(request),
          payoutMethodId: ctx.ids.next(),
          wish: { kind: 'keep', input },
        } as const;
        return answer(reply, input, await operations.change(command));
      },
    );
    // Published as a bare object; with a wrapper it is read as well.
    server.patch<{ Params: IdParams }>(
      '/v1/payout_methods/:id',
      { ...operation, schema: { params, body: schemas.PayoutMethodChange, response } },
      async (request, reply) => {
        const input = unwrapped(request.body);
        const payoutMethodId = readId(request.params.id);
        if (payoutMethodId === undefined) return sendProblem(reply, 'not_found');
        if (namesAnother(input, payoutMethodId)) return refuseOther(reply, input);
        const command = { call: takeCall(request), payoutMethodId, wish: { kind: 'change', input } } as const;
        return answer(reply, input, await operations.change(command));
      },
    );
    server.delete<{ Params: IdParams }>(
      '/v1/payout_methods/:id',
      { ...operation, schema: { params, response } },
      async (request, reply) => {
        const payoutMethodId = readId(request.params.id);
        if (payoutMethodId === undefined) return sendProblem(reply, 'not_found');
        const command = { call: takeCall(request), payoutMethodId, wish: { kind: 'disable' } } as const;
        return answer(reply, {}, await operations.change(command));
      },
    );
  };
}

/** The payout method in a body, with the wrapper of a new one or without. */
function unwrapped(body: unknown): unknown {
  return isObject(body) && body['payout_method'] !== undefined ? body['payout_method'] : body;
}

function addReads(server: Parameters<Routes>[0], ctx: MethodContext): void {
  server.get<{ Querystring: schemas.PayoutMethodQuery }>(
    '/v1/payout_methods',
    {
      config: { call: 'read', answersList: true },
      serializerCompiler,
      schema: { querystring: schemas.PayoutMethodQuery, response: { 200: schemas.PayoutMethodList } },
    },
    async (request) => {
      const { query } = request;
      const asked = pageOf(query);
      const { methods, totalCount } = await pageOfPayoutMethods(ctx, {
        ...asked,
        accountId: callOf(request).accountId,
        ...(query.state !== undefined && { states: query.state }),
        ...(query.type !== undefined && { types: query.type }),
        ...(query.sender_id !== undefined && { senderId: query.sender_id }),
        ...createdDaysOf(query),
      });
      const object = methods.map((method) => viewPayoutMethod(method, ctx.catalogue));
      return { object, meta: { pagination: paginationOf(asked, totalCount) } };
    },
  );
  server.get<{ Params: IdParams }>(
    '/v1/payout_methods/:id',
    {
      config: { call: 'read' },
      serializerCompiler,
      schema: { params: IdParams, response: { 200: schemas.PayoutMethodAnswer } },
    },
    async (request, reply) => {
      const key = { accountId: callOf(request).accountId, payoutMethodId: request.params.id };
      const method = await findPayoutMethod(ctx, key);
      return method ? { object: viewPayoutMethod(method, ctx.catalogue) } : sendProblem(reply, 'not_found');
    },
  );
}

function answerChange(ctx: MethodContext, reply: FastifyReply, input: unknown, answer: MethodAnswer): unknown {
  switch (answer.kind) {
    case 'kept':
      return { object: viewPayoutMethod(answer.method, ctx.catalogue) };
    case 'refused':
      return sendRefused(reply, { object: withFields(input, answer.fields), refusals: answer.refusals });
    case 'unknown':
      return sendProblem(reply, 'not_found');
    case 'replayed':
      return sendProblem(reply, 'nonce_used');
  }
}

/** What the caller sent, with all values that are allowed, as in a refused transaction. */
function withFields(input: unknown, fields: FieldDescriptors | undefined): unknown {
  return isObject(input) && fields ? { ...input, fields } : input;
}
