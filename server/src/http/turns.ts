/**
 * Requests begin in groups, one group in each turn of the event loop. Callers that were answered by one commit call
 * again at once. Taken up one by one as they arrive, each would go its whole way through the program alone, and the
 * database would be heard only behind the last of them. In groups they take each part of that way together, while its
 * code is at hand, and the database is heard in between. docs/architecture.md says what this is worth.
 */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** When its head was read. What it waits for its turn is part of the time that it takes. */
    arrivedAtMs?: number;
  }
}

const REQUESTS_PER_TURN = 32;

/** A server whose requests wait for their turn. One whose caller has left meanwhile is not begun. */
export function serverInTurns(options: ServerOptions, handle: RequestListener): Server {
  const turns = new Turns();
  return createServer(options, (request, response) => {
    request.arrivedAtMs = performance.now();
    turns.take(() => {
      if (!request.socket.destroyed) handle(request, response);
    });
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
