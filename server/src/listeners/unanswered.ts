/** The requests of each connection whose answers have not left yet. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** In the order of their requests. Not a `Set`: kernel/passing.ts says why. */
  readonly responses: ServerResponse[];
  /** Its body may still be on its way. */
  last: IncomingMessage;
}

const connections = new WeakMap<Socket, Connection>();

export function countUnanswered(socket: Socket): number {
  return connections.get(socket)?.responses.length ?? 0;
}

/** To be called for each request, when its head was read. */
export function noteUnanswered(request: IncomingMessage, response: ServerResponse): void {
  const { responses } = connectionOf(request);
  responses.push(response);
  response.once('close', () => responses.splice(responses.indexOf(response), 1));
}

/**
 * Node tells only the answer whose turn it is that its connection has ended. Those that wait behind it are told here:
 * what is kept for them would otherwise be kept for ever.
 */
function connectionOf(request: IncomingMessage): Connection {
  const { socket } = request;
  const known = connections.get(socket);
  if (known !== undefined) {
    known.last = request;
    return known;
  }
  const connection: Connection = { responses: [], last: request };
  connections.set(socket, connection);
  socket.once('close', () => {
    for (const response of [...connection.responses]) if (response.socket === null) response.emit('close');
  });
  return connection;
}

/** Once nobody can be answered any more: the answer has left, or the connection has ended, which may be so already. */
export function whenClosed(request: IncomingMessage, response: ServerResponse, then: () => void): void {
  // One that waited behind another never becomes closed by itself.
  if (response.closed || request.socket.destroyed) then();
  else response.once('close', then);
}

/**
 * Whether the other side takes what is written next for the answer to what is being read, and not to a call before it.
 */
export function isNextAnswerOfUnread(socket: Socket): boolean {
  const connection = connections.get(socket);
  if (connection === undefined) return true;
  const { responses, last } = connection;
  if (last.complete) return responses.length === 0;
  // What is read is the body of the last one. It may have been answered before its end.
  const [first, ...others] = responses;
  return first !== undefined && others.length === 0 && !first.headersSent;
}
