/** Spec: endpoints 7 and 8, Recipient. The list is published. Open points OP-43, OP-44, OP-45, OP-87 and OP-153. */
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { refuse } from '../../kernel/refusal.ts';
import { isObject, readId } from '../../kernel/storable.ts';
import { viewRecipient } from '../../recipients/view.ts';
import type { CancelAnswer, CancelCommand } from '../../transactions/cancel.ts';
import type { EditAnswer, EditCommand } from '../../transactions/edit.ts';
import { pageOfRecipients } from '../../transactions/find-recipients.ts';
import type { AtDesk } from '../../transactions/recipient-desk.ts';
import { fieldsOf } from '../../transactions/view.ts';
import { callOf, takeCall } from '../authenticate.ts';
import { createdDaysOf } from '../created-days.ts';
import { namesAnother, refuseOther } from '../other-id.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/recipient.ts';
import type { Routes } from '../server.ts';

/** The operations, each behind its batch runner. */
export interface RecipientOperations {
  cancel(command: CancelCommand): Promise<CancelAnswer>;
  edit(command: EditCommand): Promise<EditAnswer>;
}

type RecipientContext = Pick<Context, 'catalogue' | 'db'>;

export function recipientRoutes(ctx: RecipientContext, operations: RecipientOperations): Routes {
  return (server) => {
    addList(server, ctx);
    server.delete<{ Params: IdParams }>(
      '/v1/recipients/:id',
      {
        config: { call: 'operation' },
        serializerCompiler,
        schema: { params: IdParams, response: { 200: schemas.RecipientAnswer } },
      },
      async (request, reply) => {
        const recipientId = readId(request.params.id);
        if (recipientId === undefined) return sendProblem(reply, 'not_found');
        return answerCancel(ctx, reply, await operations.cancel({ call: takeCall(request), recipientId }));
      },
    );
    server.patch<{ Params: IdParams }>(
      '/v1/recipients/:id',
      {
        config: { call: 'operation', envelope: 'recipient' },
        serializerCompiler,
        validatorCompiler,
        schema: { params: IdParams, body: schemas.RecipientBody, response: { 200: schemas.RecipientAnswer } },
      },
      async (request, reply) => {
        const recipientId = readId(request.params.id);
        if (recipientId === undefined) return sendProblem(reply, 'not_found');
        const input = isObject(request.body) ? request.body['recipient'] : undefined;
        if (namesAnother(input, recipientId)) return refuseOther(reply, input);
        return answerEdit(ctx, reply, input, await operations.edit({ call: takeCall(request), recipientId, input }));
      },
    );
  };
}

function addList(server: Parameters<Routes>[0], ctx: RecipientContext): void {
  server.get<{ Querystring: schemas.RecipientQuery }>(
    '/v1/recipients',
    {
      config: { call: 'read', answersList: true },
      serializerCompiler,
      schema: { querystring: schemas.RecipientQuery, response: { 200: schemas.RecipientList } },
    },
    async (request, reply) => {
      const { query } = request;
      const asked = pageOf(query);
      const found = await pageOfRecipients(ctx, {
        ...asked,
        accountId: callOf(request).accountId,
        ...createdDaysOf(query),
        ...(query.amount_from !== undefined && { amountFrom: query.amount_from }),
        ...(query.amount_to !== undefined && { amountTo: query.amount_to }),
        ...(query.state !== undefined && { states: query.state }),
        ...(query.currency !== undefined && { currencies: query.currency }),
      });
      if (!found.ok) return sendRefused(reply, { object: [], refusals: found.refusals });
      const { recipients, totalCount } = found.value;
      const pagination = paginationOf(asked, totalCount);
      return { object: recipients.map((each) => view(ctx, each)), meta: { pagination } };
    },
  );
}

function answerCancel(ctx: RecipientContext, reply: FastifyReply, answer: CancelAnswer): unknown {
  switch (answer.kind) {
    case 'accepted':
      return { object: view(ctx, answer) };
    case 'refused':
      return sendRefused(reply, { object: view(ctx, answer), refusals: [refuse('not_cancelable')] });
    case 'unknown':
      return sendProblem(reply, 'not_found');
    case 'replayed':
      return sendProblem(reply, 'nonce_used');
  }
}

function answerEdit(ctx: RecipientContext, reply: FastifyReply, input: unknown, answer: EditAnswer): unknown {
  switch (answer.kind) {
    case 'edited':
      return { object: view(ctx, answer) };
    case 'refused': {
      const shown = view(ctx, answer);
      const object = { ...shown, payout_method: { ...shown.payout_method, ...withSent(shown, input) } };
      return sendRefused(reply, { object, refusals: answer.refusals });
    }
    case 'unknown':
      return sendProblem(reply, 'not_found');
    case 'replayed':
      return sendProblem(reply, 'nonce_used');
  }
}

/** The details as they would be, so that what is wrong stands beside what was sent. */
function withSent(shown: ReturnType<typeof viewRecipient>, input: unknown): object {
  const method = isObject(input) ? input['payout_method'] : undefined;
  const details = isObject(method) ? method['details'] : undefined;
  return isObject(details) ? { details: { ...shown.payout_method.details, ...details } } : {};
}

function view(ctx: RecipientContext, { recipient, transaction }: AtDesk) {
  return viewRecipient(recipient, transaction, fieldsOf(recipient, ctx.catalogue));
}
