/** Requests to the API that are not HTTP, or not in time: answered as all others, with an id that the log has too. */
import type { Socket } from 'node:net';
import type { Context } from '../context.ts';
import { answerUnreadable } from '../listeners/unreadable.ts';
import { PROBLEMS } from './problem.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

export function answerClientError(
  { ids, log }: Pick<Context, 'ids' | 'log'>,
  error: { readonly code: string },
  socket: Socket,
): void {
  answerUnreadable(error, socket, (why) => {
    const problem = PROBLEMS[why];
    const requestId = ids.next();
    log.info('request could not be read', { request_id: requestId, status: problem.status, code: error.code });
    return { body: problem, headers: { [REQUEST_ID_HEADER]: requestId } };
  });
}
