/** Documents on their own: stored to be attached to a sender later. Published. Open points OP-2, OP-40, OP-87. */
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import type { CreateDocumentAnswer, CreateDocumentCommand } from '../../documents/create.ts';
import { findDocument, pageOfDocuments } from '../../documents/find.ts';
import { viewDocument } from '../../documents/view.ts';
import { refuse } from '../../kernel/refusal.ts';
import { isObject } from '../../kernel/storable.ts';
import { callOf, takeCall } from '../authenticate.ts';
import { pageOf, paginationOf } from '../paging.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import * as schemas from '../schemas/document.ts';
import { IdParams } from '../schemas/id.ts';
import type { Routes } from '../server.ts';

/** The operation, behind its batch runner. */
export interface DocumentOperations {
  create(command: CreateDocumentCommand): Promise<CreateDocumentAnswer>;
}

export function documentRoutes(ctx: Pick<Context, 'db' | 'ids'>, operations: DocumentOperations): Routes {
  return (server) => {
    server.get<{ Querystring: schemas.DocumentQuery }>(
      '/v1/documents',
      {
        config: { call: 'read', answersList: true },
        serializerCompiler,
        schema: { querystring: schemas.DocumentQuery, response: { 200: schemas.DocumentList } },
      },
      async (request) => {
        const asked = pageOf(request.query);
        const { documents, totalCount } = await pageOfDocuments(ctx, {
          ...asked,
          accountId: callOf(request).accountId,
        });
        return { object: documents.map(viewDocument), meta: { pagination: paginationOf(asked, totalCount) } };
      },
    );
    server.get<{ Params: IdParams }>(
      '/v1/documents/:id',
      {
        config: { call: 'read' },
        serializerCompiler,
        schema: { params: IdParams, response: { 200: schemas.DocumentAnswer } },
      },
      async (request, reply) => {
        const { accountId } = callOf(request);
        const document = await findDocument(ctx, { accountId, documentId: request.params.id });
        return document ? { object: viewDocument(document) } : sendProblem(reply, 'not_found');
      },
    );
    server.post(
      '/v1/documents',
      {
        config: { call: 'operation', envelope: 'document' },
        serializerCompiler,
        validatorCompiler,
        schema: { body: schemas.DocumentBody, response: { 200: schemas.DocumentAnswer } },
      },
      async (request, reply) => {
        const input = isObject(request.body) ? request.body['document'] : undefined;
        if (input === undefined) return sendRefused(reply, { object: {}, refusals: [refuse('blank', 'document')] });
        const call = takeCall(request);
        return answerCreate(reply, input, await operations.create({ call, documentId: ctx.ids.next(), input }));
      },
    );
  };
}

function answerCreate(reply: FastifyReply, input: unknown, answer: CreateDocumentAnswer): unknown {
  if (answer.kind === 'created') return { object: viewDocument(answer.document) };
  if (answer.kind === 'replayed') return sendProblem(reply, 'nonce_used');
  return sendRefused(reply, { object: input, refusals: answer.refusals });
}
