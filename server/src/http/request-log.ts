/**
 * One log line and one observation for each request: method, pattern of the route, status, duration, request id and
 * account. Never the query, which may hold an external id, and never a body.
 */
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';

/** For requests that no route takes: their paths are the caller's own and would make a series each. */
const UNMATCHED = 'unmatched';

export function recordRequests(server: FastifyInstance, { log, metrics }: Pick<Context, 'log' | 'metrics'>): void {
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? UNMATCHED : (request.routeOptions.url ?? UNMATCHED);
    const { statusCode: status, elapsedTime } = reply;
    const { method } = request;
    metrics.observeRequest({ method, route, status, seconds: elapsedTime / 1_000 });
    log.info('request', {
      requestId: request.id,
      method,
      route,
      status,
      ms: Math.round(elapsedTime * 100) / 100,
      accountId: request.call?.accountId,
    });
    done();
  });
}
