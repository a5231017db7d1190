/** Spec: endpoint 9, Proof of payment file. Open points OP-31, OP-154 and OP-155. */
import type { Context } from '../../context.ts';
import { present } from '../../kernel/assert.ts';
import { readId } from '../../kernel/storable.ts';
import { type FileForm, listProofs } from '../../transactions/find-proofs.ts';
import { callOf } from '../authenticate.ts';
import { addressHeaders, addressPolicy } from '../called-address.ts';
import { fileAddresses } from '../file-address.ts';
import { serializerCompiler } from '../plain-routes.ts';
import { sendProblem } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/proof.ts';
import type { Routes } from '../server.ts';
import { calledOrigin } from '../signed-urls.ts';

type ProofContext = Pick<Context, 'db' | 'settings' | 'clock' | 'seal'>;

export function proofRoutes(ctx: ProofContext): Routes {
  const addresses = fileAddresses(ctx.seal);
  const policy = addressPolicy(ctx.settings);
  return (server) => {
    server.get<{ Params: IdParams }>(
      '/v1/recipients/:id/proof_of_payments',
      {
        config: { call: 'read', answersList: true },
        serializerCompiler,
        schema: { params: IdParams, response: { 200: schemas.ProofList } },
      },
      async (request, reply) => {
        const { accountId } = callOf(request);
        const recipientId = present(readId(request.params.id), 'id of the path');
        const proofs = await listProofs(ctx, { accountId, recipientId });
        if (proofs === undefined) return sendProblem(reply, 'not_found');
        const origin = present(calledOrigin(policy, addressHeaders(request.headers)), 'address that was signed');
        const expiresAt = new Date(ctx.clock.now().getTime() + ctx.settings.files.addressLifetimeMs);
        const addressOf = (fileId: string, form: FileForm) =>
          origin + addresses.make({ accountId, recipientId, fileId, form }, expiresAt);
        return {
          object: proofs.map(({ fileId, fileName }) => ({
            id: fileId,
            file_name: fileName,
            url: addressOf(fileId, 'content'),
            thumbnail: addressOf(fileId, 'thumbnail'),
          })),
        };
      },
    );
  };
}
