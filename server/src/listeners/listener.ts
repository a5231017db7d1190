/**
 * The server below each of the two listeners, with what strangers may take of it: connections, requests without answers
 * on each of them (turns.ts), and time. Nobody keeps a connection without using it: one that sends nothing, or too
 * slowly, is closed, and so is one that waits too long between two requests or does not take what it is answered.
 */
import type { RequestListener, Server } from 'node:http';
import type { Context } from '../context.ts';
import type { ListenerName, Metrics } from '../observability/metrics.ts';
import { Repeats } from '../observability/repeats.ts';
import { serverInTurns } from './turns.ts';

interface ListenerBounds {
  readonly name: ListenerName;
  readonly maxConnections: number;
  /** A whole request, from the first moment of its connection or the end of the one before. */
  readonly arrivesWithinMs: number;
  /** Answers: how long nothing of one may move. */
  readonly takenWithinMs: number;
}

interface ListenerContext extends Pick<Context, 'log'> {
  readonly metrics: Pick<Metrics, 'countDroppedConnection'>;
}

/** How long a connection waits for its next request: as long as at Fastify's own server. */
const KEEP_ALIVE_MS = 72_000;
/** The headers alone, also of a connection that sends nothing at all: as long as at Node's own server. */
const MAX_HEADERS_MS = 60_000;
const LOOK_FOR_SLOW_EVERY_MS = 1_000;

/** For Fastify's `serverFactory`. */
export function listenerServer(ctx: ListenerContext, bounds: ListenerBounds): (handle: RequestListener) => Server {
  return (handle) => {
    const server = serverInTurns(
      {
        headersTimeout: Math.min(MAX_HEADERS_MS, bounds.arrivesWithinMs),
        requestTimeout: bounds.arrivesWithinMs,
        connectionsCheckingInterval: LOOK_FOR_SLOW_EVERY_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // Checked by us, where it matters: the answer is then JSON like all others.
        requireHostHeader: false,
      },
      handle,
    );
    // Longer by two looks: who sends too slowly is told so before.
    server.setTimeout(bounds.takenWithinMs + 2 * LOOK_FOR_SLOW_EVERY_MS);
    boundConnections(server, ctx, bounds);
    return server;
  };
}

/** Beyond them the program could not open files and connections of its own. Open point OP-236. */
function boundConnections(server: Server, { log, metrics }: ListenerContext, bounds: ListenerBounds): void {
  const { name, maxConnections } = bounds;
  const repeats = new Repeats();
  server.maxConnections = maxConnections;
  server.on('drop', () => {
    metrics.countDroppedConnection(name);
    const untold = repeats.note(name);
    if (untold)
      log.warn('too many connections: further ones are dropped', { listener: name, most: maxConnections, ...untold });
  });
}
