/** Spec: endpoint 6, Debit. One debit or a list; the answer is a list either way. Open points OP-26, OP-41, OP-42. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { isObject } from '../../kernel/storable.ts';
import { viewDebit } from '../../transactions/debit-view.ts';
import { type DraftedDebits, draftDebits } from '../../transactions/draft-debits.ts';
import type { FundAnswer, FundCommand } from '../../transactions/fund.ts';
import { takeCall } from '../authenticate.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import * as schemas from '../schemas/debit.ts';
import type { Routes } from '../server.ts';

/** The operation, behind its batch runner. */
export interface DebitOperations {
  fund(command: FundCommand): Promise<FundAnswer>;
}

export function debitRoutes(ctx: Pick<Context, 'ids'>, operations: DebitOperations): Routes {
  return (server) => {
    server.post(
      '/v1/accounts/debits',
      {
        config: { call: 'operation', envelope: 'debit', answersList: true },
        serializerCompiler,
        validatorCompiler,
        schema: { body: schemas.DebitBody, response: { 200: schemas.DebitList } },
      },
      (request, reply) => fund(ctx, operations, request, reply),
    );
  };
}

async function fund(
  ctx: Pick<Context, 'ids'>,
  operations: DebitOperations,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const input = isObject(request.body) ? request.body['debit'] : undefined;
  const drafted = draftDebits(ctx.ids, input);
  if (!drafted.ok) return answerRefused(reply, drafted, drafted.refusals);
  const answer = await operations.fund({ call: takeCall(request), debits: drafted.debits });
  switch (answer.kind) {
    case 'funded':
      return { object: answer.debits.map(viewDebit) };
    case 'refused':
      return answerRefused(
        reply,
        drafted,
        answer.refusals.flatMap((list, index) => list.map(({ code, path }) => refuse(code, index, ...path))),
      );
    case 'replayed':
      return sendProblem(reply, 'nonce_used');
  }
}

function answerRefused(reply: FastifyReply, drafted: DraftedDebits, refusals: readonly Refusal[]): FastifyReply {
  return sendRefused(reply, { object: drafted.input, refusals });
}
