/** Requests that are not HTTP, or not in time: they never reach a route, and still get a JSON answer. */
import type { Socket } from 'node:net';
import { isNextAnswerOfUnread } from './unanswered.ts';

const BY_CODE: ReadonlyMap<string, Unreadable> = new Map([
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'too_slow'],
]);

const STATUS_LINES = {
  unreadable: '400 Bad Request',
  too_slow: '408 Request Timeout',
  headers_too_large: '431 Request Header Fields Too Large',
} as const;

export type Unreadable = keyof typeof STATUS_LINES;

interface RawAnswer {
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends the connection, with what is to be answered where that can still be said. */
export function answerUnreadable(
  error: { readonly code: string },
  socket: Socket,
  answerTo: (why: Unreadable) => RawAnswer,
): void {
  // The other side has gone, or would take it for the answer to a call that is under way.
  if (error.code === 'ECONNRESET' || !socket.writable || !isNextAnswerOfUnread(socket)) {
    socket.destroy();
    return;
  }
  const why = BY_CODE.get(error.code) ?? 'unreadable';
  const { body, headers = {} } = answerTo(why);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${STATUS_LINES[why]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
