/** Requests that are not HTTP, or not in time: they never reach a route, and still get a JSON answer with an id. */
import type { Socket } from 'node:net';
import type { Context } from '../context.ts';
import { PROBLEMS, type ProblemName } from './problem.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

const BY_CODE: ReadonlyMap<string, ProblemName> = new Map([
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'too_slow'],
]);

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

export function answerClientError(
  { ids, log }: Pick<Context, 'ids' | 'log'>,
  error: { readonly code: string },
  socket: Socket,
): void {
  // The other side has gone, or an answer is on its way already.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const problem = PROBLEMS[BY_CODE.get(error.code) ?? 'unreadable'];
  const requestId = ids.next();
  log.info('request could not be read', { request_id: requestId, status: problem.status, code: error.code });
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${REASONS[problem.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
