/**
 * How the payer of a collection pays: read, edited, canceled and tried again. Published. Open points OP-18, OP-175,
 * OP-176.
 */
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { isObject, readId } from '../../kernel/storable.ts';
import { viewPayinMethod } from '../../payins/view.ts';
import type { PayinChangeAnswer, PayinChangeCommand } from '../../transactions/change-payin.ts';
import { findPayinMethod } from '../../transactions/payin-desk.ts';
import type { PayinAtDesk } from '../../transactions/payin-steps.ts';
import { callOf, takeCall } from '../authenticate.ts';
import { namesAnother, refuseOther } from '../other-id.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/payin-method.ts';
import type { Routes } from '../server.ts';

/** The operation, behind its batch runner. */
export interface PayinMethodOperations {
  change(command: PayinChangeCommand): Promise<PayinChangeAnswer>;
}

type PayinContext = Pick<Context, 'db' | 'catalogue'>;

export function payinMethodRoutes(ctx: PayinContext, operations: PayinMethodOperations): Routes {
  const params = IdParams;
  const response = { 200: schemas.PayinMethodAnswer };
  const operation = { config: { call: 'operation' }, serializerCompiler, validatorCompiler } as const;
  return (server) => {
    server.get<{ Params: IdParams }>(
      '/v1/payin_methods/:id',
      { config: { call: 'read' }, serializerCompiler, schema: { params, response } },
      async (request, reply) => {
        const payinMethodId = readId(request.params.id);
        if (payinMethodId === undefined) return sendProblem(reply, 'not_found');
        const found = await findPayinMethod(ctx, { accountId: callOf(request).accountId, payinMethodId });
        return found ? { object: view(found) } : sendProblem(reply, 'not_found');
      },
    );
    // Published as a bare object; with a wrapper it is read as well.
    server.patch<{ Params: IdParams }>(
      '/v1/payin_methods/:id',
      { ...operation, schema: { params, body: schemas.PayinMethodChange, response } },
      async (request, reply) => {
        const payinMethodId = readId(request.params.id);
        if (payinMethodId === undefined) return sendProblem(reply, 'not_found');
        const input = unwrapped(request.body);
        if (namesAnother(input, payinMethodId)) return refuseOther(reply, input);
        const wish = { kind: 'edit', input } as const;
        return answer(ctx, reply, input, await operations.change({ call: takeCall(request), payinMethodId, wish }));
      },
    );
    server.delete<{ Params: IdParams }>(
      '/v1/payin_methods/:id',
      { ...operation, schema: { params, response } },
      async (request, reply) => {
        const payinMethodId = readId(request.params.id);
        if (payinMethodId === undefined) return sendProblem(reply, 'not_found');
        const wish = { kind: 'cancel' } as const;
        return answer(ctx, reply, {}, await operations.change({ call: takeCall(request), payinMethodId, wish }));
      },
    );
    server.post<{ Params: IdParams }>(
      '/v1/payin_methods/:id/retry',
      { ...operation, schema: { params, response } },
      async (request, reply) => {
        const payinMethodId = readId(request.params.id);
        if (payinMethodId === undefined) return sendProblem(reply, 'not_found');
        const wish = { kind: 'retry' } as const;
        return answer(ctx, reply, {}, await operations.change({ call: takeCall(request), payinMethodId, wish }));
      },
    );
  };
}

/** The payin method in a body, with its published wrapper or without. */
export function unwrapped(body: unknown): unknown {
  return isObject(body) && 'payin_method' in body ? body['payin_method'] : body;
}

function answer(ctx: PayinContext, reply: FastifyReply, input: unknown, result: PayinChangeAnswer): unknown {
  switch (result.kind) {
    case 'done':
      return { object: view(result) };
    case 'refused': {
      // The details as they would be, so that what is wrong stands beside what was sent.
      const shown = view(result);
      const sent = isObject(input) && isObject(input['in_details']) ? input['in_details'] : {};
      const fields = ctx.catalogue.payin(result.method.type)?.fields();
      const object = { ...shown, in_details: { ...shown.in_details, ...sent }, ...(fields && { fields }) };
      return sendRefused(reply, { object, refusals: result.refusals });
    }
    case 'unknown':
      return sendProblem(reply, 'not_found');
    case 'replayed':
      return sendProblem(reply, 'nonce_used');
  }
}

function view({ method, transaction }: PayinAtDesk) {
  return viewPayinMethod(method, transaction);
}
