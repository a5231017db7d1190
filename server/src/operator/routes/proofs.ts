/** Proofs of payment: attach a file to a recipient. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { MAX_TEXT_CHARS } from '../../kernel/storable.ts';
import { MAX_PROOF_BYTES } from '../../recipients/proof.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { RecipientParams } from '../payout-schemas.ts';
import { sendOutcome, sendProblem } from '../problem.ts';
import { type Attached, attachFile } from '../proofs.ts';

/** Four characters for three bytes. */
const MAX_BASE64_CHARS = Math.ceil(MAX_PROOF_BYTES / 3) * 4;
/** The file, and room for its name and the form around it. */
const BODY_LIMIT_BYTES = MAX_BASE64_CHARS + 16 * 1024;
/** Read as a whole: nothing that is no base64 is skipped over. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const AttachBody = Type.Object(
  {
    file_name: Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARS }),
    content: Type.String({ description: 'The file in base64.' }),
  },
  { additionalProperties: false },
);

export function proofRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.post<{ Params: Type.Static<typeof RecipientParams>; Body: Type.Static<typeof AttachBody> }>(
    '/operator/recipients/:recipient_id/proofs',
    { bodyLimit: BODY_LIMIT_BYTES, schema: { params: RecipientParams, body: AttachBody } },
    async (request, reply) => {
      const { file_name: fileName, content } = request.body;
      if (content.length % 4 !== 0 || !BASE64.test(content)) {
        return sendProblem(reply, { status: 422, error: 'invalid', details: ['content: is not base64'] });
      }
      const recipientId = request.params.recipient_id.toLowerCase();
      const file = { recipientId, fileName, content: Buffer.from(content, 'base64') };
      return sendOutcome(reply, await attachFile(ctx, commandOf(ctx, request), file), attachedView, 201);
    },
  );
}

function attachedView({ recipientId, proofId, fileName, contentType, sizeBytes }: Attached) {
  return {
    recipient_id: recipientId,
    id: proofId,
    file_name: fileName,
    content_type: contentType,
    size_bytes: sizeBytes,
  };
}
