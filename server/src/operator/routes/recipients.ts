/** Recipients that need people: show, retry, mark as paid or failed, settle a part, cancel. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { FindTakers } from '../../providers/takers.ts';
import type { ShownRecipient } from '../../transactions/show-recipient.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { EvidenceBody, MarkFailedBody, MarkPaidBody, RecipientParams } from '../payout-schemas.ts';
import { sendOutcome } from '../problem.ts';
import { attemptView, contradictionView, recipientView } from '../recipient-view.ts';
import { findRecipient, orderRecipient } from '../recipients.ts';
import { waitView } from '../wait-view.ts';

type OfRecipient = { Params: Type.Static<typeof RecipientParams> };

/** Published: a temporary error, which says nothing about the recipient. */
const DEFAULT_CODE = '3';

export function recipientRoutes(app: FastifyInstance, ctx: OperatorContext, takers: FindTakers): void {
  const shownView = (shown: ShownRecipient) => ({
    recipient: recipientView(shown, waitView(ctx, takers, shown), ctx.clock.now()),
    attempts: shown.attempts.map((attempt) => attemptView(attempt, shown.recipient)),
    contradictions: shown.contradictions.map(contradictionView),
  });
  const order = async (
    request: FastifyRequest<OfRecipient>,
    reply: FastifyReply,
    what: Parameters<typeof orderRecipient>[3],
  ) => {
    const recipientId = request.params.recipient_id.toLowerCase();
    return sendOutcome(reply, await orderRecipient(ctx, commandOf(ctx, request), recipientId, what), shownView);
  };

  app.get<OfRecipient>(
    '/operator/recipients/:recipient_id',
    { schema: { params: RecipientParams } },
    async ({ params }, reply) =>
      sendOutcome(reply, await findRecipient(ctx, params.recipient_id.toLowerCase()), shownView),
  );

  app.post<OfRecipient>(
    '/operator/recipients/:recipient_id/retry',
    { schema: { params: RecipientParams } },
    (request, reply) => order(request, reply, { do: 'retry' }),
  );

  app.post<OfRecipient & { Body: Type.Static<typeof MarkPaidBody> }>(
    '/operator/recipients/:recipient_id/mark-paid',
    { schema: { params: RecipientParams, body: MarkPaidBody } },
    (request, reply) => order(request, reply, { do: 'mark_paid', ...request.body }),
  );

  app.post<OfRecipient & { Body: Type.Static<typeof MarkFailedBody> }>(
    '/operator/recipients/:recipient_id/mark-failed',
    { schema: { params: RecipientParams, body: MarkFailedBody } },
    (request, reply) => {
      return order(request, reply, { do: 'mark_failed', code: DEFAULT_CODE, ...request.body });
    },
  );

  app.post<OfRecipient & { Body: Type.Static<typeof EvidenceBody> }>(
    '/operator/recipients/:recipient_id/settle-part',
    { schema: { params: RecipientParams, body: EvidenceBody } },
    (request, reply) => order(request, reply, { do: 'settle_part', evidence: request.body.evidence }),
  );

  app.post<OfRecipient>(
    '/operator/recipients/:recipient_id/cancel',
    { schema: { params: RecipientParams } },
    (request, reply) => order(request, reply, { do: 'cancel' }),
  );
}
