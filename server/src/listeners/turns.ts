/**
 * Requests begin in groups, one group in each turn of the event loop. Callers that were answered by one commit call
 * again at once. Taken up one by one as they arrive, each would go its whole way through the program alone, and the
 * database would be heard only behind the last of them. In groups they take each part of that way together, while its
 * code is at hand, and the database is heard in between. docs/architecture.md says what this is worth.
 */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { countUnanswered, noteUnanswered } from './unanswered.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** When its head was read. What it waits for its turn is part of the time that it takes. */
    arrivedAtMs?: number;
  }
}

const REQUESTS_PER_TURN = 32;
/** Of one connection. Clients wait for an answer before they ask again, or ask for a few at once. */
export const MAX_UNANSWERED = 100;

/**
 * A server whose requests wait for their turn. One whose caller has left meanwhile is not begun. A connection that
 * sends more and more without waiting for answers is closed: all others would wait behind what it has sent. Open point
 * OP-228.
 */
export function serverInTurns(options: ServerOptions, handle: RequestListener): Server {
  const turns = new Turns();
  const server = createServer(options, (request, response) => {
    const { socket } = request;
    if (countUnanswered(socket) === MAX_UNANSWERED) {
      socket.destroy();
      return;
    }
    noteUnanswered(request, response);
    request.arrivedAtMs = performance.now();
    turns.take(() => {
      if (!socket.destroyed) handle(request, response);
    });
  });
  return server.on('timeout', (socket) => {
    // Nothing has moved for as long as it may: all was answered, or an answer is not taken. One that is made is waited
    // for.
    const isAnswerMade = countUnanswered(socket) > 0 && socket.writableLength === 0;
    if (!isAnswerMade) socket.destroy();
  });
}

export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isNextSet = false;

  /** In the order in which they came. */
  take(begin: () => void): void {
    this.#waiting.push(begin);
    this.#setNext();
  }

  #setNext(): void {
    if (this.#isNextSet) return;
    this.#isNextSet = true;
    setImmediate(() => {
      this.#isNextSet = false;
      const group = this.#waiting.splice(0, REQUESTS_PER_TURN);
      if (this.#waiting.length > 0) this.#setNext();
      for (const begin of group) begin();
    });
  }
}
