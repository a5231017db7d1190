/**
 * Bodies that come with a GET. Some HTTP wrappers send `{}` with every call. The signature covers its bytes as those of
 * any body, so they are taken in, within the same bounds; nobody reads them, and whatever they hold is no error. Most
 * calls that read have none, and wait for nothing here. Spec: Authentication.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isBodyAnnounced } from './body.ts';
import { sendProblem } from './problem.ts';

/** To be added before authentication, for which alone they are taken in: not where nobody has to sign. */
export function takeUnreadBodies(server: FastifyInstance): void {
  server.addHook('preValidation', (request, reply, done) => {
    if (request.method !== 'GET' || request.presented === null || !isBodyAnnounced(request.raw.headers)) done();
    else takeBytes(request, reply, done);
  });
}

/** A caller who goes away before the end is answered by nobody. */
function takeBytes(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { raw, routeOptions } = request;
  const chunks: Buffer[] = [];
  let room = routeOptions.bodyLimit;
  const refuse = () => {
    // More of it may be on its way.
    if (!reply.sent) sendProblem(reply.header('connection', 'close'), 'body_too_large');
  };
  const take = (chunk: Buffer) => {
    room -= chunk.length;
    chunks.push(chunk);
    if (room >= 0) return;
    raw.off('data', take).off('end', end);
    refuse();
  };
  const end = () => {
    request.rawBody = Buffer.concat(chunks);
    done();
  };
  if (Number(raw.headers['content-length']) > room) refuse();
  else raw.on('data', take).once('end', end);
}
