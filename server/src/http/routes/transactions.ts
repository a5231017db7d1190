/**
 * Spec: endpoints 1 to 5, Transaction. `validate` and the further query parameters are published: OP-37, OP-38, OP-39.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { refuse } from '../../kernel/refusal.ts';
import { isObject, readId } from '../../kernel/storable.ts';
import { viewSender } from '../../senders/view.ts';
import { type CreateAnswer, type CreateCommand, makeCreateCommand } from '../../transactions/create-command.ts';
import { findTransaction, pageOfTransactions } from '../../transactions/find.ts';
import { viewRefused } from '../../transactions/refused-view.ts';
import { writeTransaction } from '../../transactions/text.ts';
import { viewCalculated, viewTransaction } from '../../transactions/view.ts';
import { callOf, takeCall } from '../authenticate.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/transaction.ts';
import { sendTransaction } from '../send-transaction.ts';
import type { Routes } from '../server.ts';

/** The operations, each behind its batch runner. */
export interface TransactionOperations {
  create(command: CreateCommand): Promise<CreateAnswer>;
  calculate(command: CreateCommand): Promise<CreateAnswer>;
}

type TransactionContext = Pick<Context, 'db' | 'ids' | 'catalogue' | 'settings'>;

const CREATED = 201;
const OK = 200;

export function transactionRoutes(ctx: TransactionContext, operations: TransactionOperations): Routes {
  const options = (status: 200 | 201) => ({
    config: { call: 'operation' as const, envelope: 'transaction' },
    serializerCompiler,
    validatorCompiler,
    schema: { body: schemas.TransactionBody, response: { [status]: schemas.TransactionAnswer } },
  });
  return (server) => {
    server.post('/v1/transactions', options(CREATED), (request, reply) =>
      run(ctx, request, reply, { operate: operations.create, isFunded: false, status: CREATED }),
    );
    server.post('/v1/transactions/create_and_fund', options(CREATED), (request, reply) =>
      run(ctx, request, reply, { operate: operations.create, isFunded: true, status: CREATED }),
    );
    for (const path of ['/v1/transactions/calculate', '/v1/transactions/validate']) {
      server.post(path, options(OK), (request, reply) =>
        run(ctx, request, reply, { operate: operations.calculate, isFunded: false, status: OK }),
      );
    }
    addReads(server, ctx);
  };
}

interface Run {
  readonly operate: (command: CreateCommand) => Promise<CreateAnswer>;
  readonly isFunded: boolean;
  readonly status: typeof OK | typeof CREATED;
}

async function run(
  ctx: TransactionContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { operate, isFunded, status }: Run,
): Promise<unknown> {
  const input = isObject(request.body) ? request.body['transaction'] : undefined;
  if (input === undefined) return sendRefused(reply, { object: {}, refusals: [refuse('blank', 'transaction')] });
  const command = makeCreateCommand(ctx, takeCall(request), input, { isFunded });
  const answer = await operate(command);
  switch (answer.kind) {
    case 'created':
      return status === CREATED
        ? sendTransaction(ctx, reply, { status, text: answer.text ?? writeTransaction(answer.transaction) })
        : reply.code(status).send({
            object: viewCalculated(answer.transaction, { catalogue: ctx.catalogue, newIds: newIdsOf(command) }),
          });
    case 'refused': {
      const { transaction, sender } = answer.existing ?? {};
      const existing = {
        ...(transaction && { transaction: viewTransaction(transaction, ctx.catalogue) }),
        ...(sender && { sender: viewSender(sender) }),
      };
      const object = viewRefused(input, ctx.catalogue, ctx.settings.transactions.maxRecipients);
      const shown = { object, refusals: answer.refusals };
      return sendRefused(reply, answer.existing ? { ...shown, existing } : shown);
    }
    case 'rates_stale':
      return sendProblem(reply, 'rates_stale');
    case 'replayed':
      return sendProblem(reply, 'nonce_used');
  }
}

/** Those of its sender's side that nothing bears before the command is carried out. */
function newIdsOf({ wish }: CreateCommand): ReadonlySet<string> {
  return new Set([wish.senderId, ...wish.documentIds]);
}

function addReads(server: Parameters<Routes>[0], ctx: TransactionContext): void {
  server.get<{ Querystring: schemas.TransactionQuery }>(
    '/v1/transactions',
    {
      config: { call: 'read', answersList: true },
      serializerCompiler,
      schema: { querystring: schemas.TransactionQuery, response: { 200: schemas.TransactionList } },
    },
    async (request) => {
      const { query } = request;
      const asked = pageOf(query);
      const { transactions, totalCount } = await pageOfTransactions(ctx, {
        ...asked,
        accountId: callOf(request).accountId,
        ...(query.external_id !== undefined && { externalId: query.external_id }),
        ...(query.sender_id !== undefined && { senderId: query.sender_id.toLowerCase() }),
      });
      return {
        object: transactions.map((transaction) => viewTransaction(transaction, ctx.catalogue)),
        meta: { pagination: paginationOf(asked, totalCount) },
      };
    },
  );
  server.get<{ Params: IdParams }>(
    '/v1/transactions/:id',
    {
      config: { call: 'read' },
      serializerCompiler,
      schema: { params: IdParams, response: { 200: schemas.TransactionAnswer } },
    },
    async (request, reply) => {
      const { accountId } = callOf(request);
      const transactionId = readId(request.params.id);
      const transaction = transactionId && (await findTransaction(ctx, { accountId, transactionId }));
      return transaction
        ? sendTransaction(ctx, reply, { status: OK, text: writeTransaction(transaction) })
        : sendProblem(reply, 'not_found');
    },
  );
}
