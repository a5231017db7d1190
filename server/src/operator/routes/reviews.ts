/**
 * Senders in review: the queue, one sender with all that is known, decisions, and the documents under signed addresses.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import { disposition } from '../../documents/disposition.ts';
import type { Document } from '../../documents/document.ts';
import { safeFileName } from '../../documents/file-name.ts';
import { findDocumentFile } from '../../documents/find.ts';
import { DECISIONS } from '../../reviews/decide-review.ts';
import { listReviews, type ShownSender } from '../../reviews/show.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { cursorText, readCursor } from '../cursor.ts';
import { type DocumentAddresses, documentAddresses } from '../document-address.ts';
import { listFor } from '../of-account.ts';
import { sendOutcome, sendProblem } from '../problem.ts';
import {
  ApproveBody,
  DecisionBody,
  DocumentParams,
  DocumentQuery,
  ReviewsQuery,
  SenderParams,
} from '../review-schemas.ts';
import { decisionView, queueItemView, shownSenderView } from '../review-view.ts';
import { decideOnSender, findForReview } from '../reviews.ts';
import { DEFAULT_PAGE } from '../schemas.ts';

type OfSender = { Params: Type.Static<typeof SenderParams> };

export function reviewRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  const addresses = documentAddresses(ctx.seal);

  const viewFor = (request: FastifyRequest) => (shown: ShownSender) => {
    const expiresAt = new Date(ctx.clock.now().getTime() + ctx.settings.files.addressLifetimeMs);
    const origin = `${request.protocol}://${request.host}`;
    return shownSenderView(shown, (document) => origin + addresses.make(document, expiresAt));
  };

  app.get<{ Querystring: Type.Static<typeof ReviewsQuery> }>(
    '/operator/reviews',
    { schema: { querystring: ReviewsQuery } },
    async ({ query }, reply) => {
      const outcome = await listFor(ctx, query.account_id, (accountId) =>
        listReviews(ctx, {
          reason: query.reason ?? null,
          accountId,
          after: readCursor(query.after),
          limit: Number(query.limit ?? DEFAULT_PAGE),
        }),
      );
      const now = ctx.clock.now();
      return sendOutcome(reply, outcome, ({ items, next }) => ({
        items: items.map((item) => queueItemView(item, now)),
        next: cursorText(next),
      }));
    },
  );

  app.get<OfSender>('/operator/senders/:sender_id', { schema: { params: SenderParams } }, async (request, reply) => {
    const view = viewFor(request);
    const outcome = await findForReview(ctx, request.params.sender_id.toLowerCase());
    return sendOutcome(reply, outcome, (found) => ({ ...view(found), decisions: found.decisions.map(decisionView) }));
  });

  for (const what of DECISIONS) {
    app.post<OfSender & { Body: Type.Static<typeof ApproveBody> }>(
      `/operator/senders/:sender_id/${what}`,
      { schema: { params: SenderParams, body: what === 'approve' ? ApproveBody : DecisionBody } },
      async (request, reply) => {
        const senderId = request.params.sender_id.toLowerCase();
        const { reason, as_of: asOf } = request.body;
        const decision = { do: what, reason, asOf };
        const outcome = await decideOnSender(ctx, commandOf(ctx, request), senderId, decision);
        return sendOutcome(reply, outcome, viewFor(request));
      },
    );
  }
  documentRoute(app, ctx, addresses);
}

/** Nobody's cache keeps it, and no browser takes it for anything but what it is, or runs what is in it. OP-184. */
function documentRoute(app: FastifyInstance, ctx: OperatorContext, addresses: DocumentAddresses): void {
  app.get<{ Params: Type.Static<typeof DocumentParams>; Querystring: Type.Static<typeof DocumentQuery> }>(
    '/operator/files/:account_id/:document_id',
    { config: { isSignedAddress: true }, schema: { params: DocumentParams, querystring: DocumentQuery } },
    async ({ params, query }, reply) => {
      const key = { accountId: params.account_id, documentId: params.document_id };
      const verdict = addresses.judge(key, query, ctx.clock.now());
      if (verdict === 'expired') {
        const details = ['the address has expired; show the sender again for a new one'];
        return sendProblem(reply, { status: 403, error: 'address_expired', details });
      }
      const file = verdict === 'good' ? await findDocumentFile(ctx, key) : undefined;
      if (!file) return sendProblem(reply, { status: 404, error: 'not_found', details: ['there is no such file'] });
      const { document, content } = file;
      return reply
        .type(document.contentType)
        .header('content-disposition', disposition('attachment', nameOf(document)))
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('referrer-policy', 'no-referrer')
        .send(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
    },
  );
}

/** Callers hand on what their own customers call a file; whoever decides about these opens it on the own machine. */
function nameOf({ fileName, contentType }: Document): string {
  return safeFileName(fileName, contentType, 'document');
}
