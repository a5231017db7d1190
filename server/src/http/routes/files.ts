/**
 * Files under addresses that expire. No key is needed: the address itself proves that we gave it to somebody. An
 * address that was changed names nothing; one that has expired says so. Open point OP-155.
 */
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { disposition } from '../../documents/disposition.ts';
import { type FileForm, findFile, type ServedFile } from '../../transactions/find-proofs.ts';
import { fileAddresses } from '../file-address.ts';
import { serializerCompiler } from '../plain-routes.ts';
import { sendProblem } from '../problem.ts';
import * as schemas from '../schemas/file.ts';
import type { Routes } from '../server.ts';

type FileContext = Pick<Context, 'db' | 'files' | 'settings' | 'clock' | 'seal'>;

export function fileRoutes(ctx: FileContext): Routes {
  const addresses = fileAddresses(ctx.seal);
  return (server) => {
    server.get<{ Params: schemas.FileParams; Querystring: schemas.FileQuery }>(
      '/files/:account_id/:recipient_id/:file_id/:form',
      {
        config: { call: 'public' },
        serializerCompiler,
        schema: {
          params: schemas.FileParams,
          querystring: schemas.FileQuery,
          response: { 200: schemas.FILE_RESPONSE },
        },
      },
      async ({ params, query }, reply) => {
        const { account_id: accountId, recipient_id: recipientId, file_id: fileId, form } = params;
        const key = { accountId, recipientId, fileId, form };
        const verdict = addresses.judge(key, query, ctx.clock.now());
        if (verdict !== 'good') return sendProblem(reply, verdict === 'expired' ? 'address_expired' : 'not_found');
        const file = await findFile(ctx, key);
        return file ? sendFile(reply, file, form) : sendProblem(reply, 'not_found');
      },
    );
  };
}

/** Nobody's cache keeps it, and no browser takes it for anything but what it is, or runs what is in it. */
function sendFile(reply: FastifyReply, { fileName, contentType, content }: ServedFile, form: FileForm): FastifyReply {
  return reply
    .type(contentType)
    .header('content-disposition', disposition(form === 'content' ? 'attachment' : 'inline', fileName))
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('referrer-policy', 'no-referrer')
    .send(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
}
