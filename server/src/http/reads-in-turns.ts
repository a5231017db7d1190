/**
 * Accounts take turns at reading. Without that, one account that asks for a hundred long lists at once has every
 * connection to the database, and everybody else waits behind it. Reads also leave a few connections free for what
 * moves money.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { Overloaded } from '../kernel/batch.ts';
import { FairQueue } from '../kernel/fair-queue.ts';
import { callOf } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives its place back, once. */
    endReading: (() => void) | null;
  }
}

/** For batches, and for what stands behind them. */
const KEPT_FREE = 3;
/** Of one account. */
const MAX_WAITING_READS = 1_000;

export function readInTurns(
  server: FastifyInstance,
  { settings, metrics }: Pick<Context, 'settings' | 'metrics'>,
): void {
  const places = Math.max(1, settings.database.poolSize - KEPT_FREE);
  const queue = new FairQueue({ places, longest: MAX_WAITING_READS });
  metrics.gauge({ name: 'payferry_reads', help: 'Calls that read, under way and waiting.', labels: ['state'] }, () => [
    { labels: { state: 'under_way' }, value: queue.taken },
    { labels: { state: 'waiting' }, value: queue.waiting },
  ]);
  server.decorateRequest('endReading', null);
  server.addHook('preHandler', (request, reply, done) => {
    if (!isRead(request)) return done();
    let isReading = false;
    let isGone = false;
    const end = () => {
      if (isReading) queue.leave();
      isReading = false;
    };
    // A caller who hangs up is not answered, so that nothing else would end it.
    reply.raw.once('close', () => {
      isGone = true;
      end();
    });
    const start = () => {
      isReading = true;
      request.endReading = end;
      if (isGone) end();
      done();
    };
    const isTaken = queue.enter(callOf(request).accountId, start);
    if (!isTaken) done(new Overloaded('too many reads of this account are waiting'));
  });
  // All is read by now; how fast the caller takes it is not waited for.
  server.addHook('onSend', (request, _reply, payload, done) => {
    request.endReading?.();
    done(null, payload);
  });
}

function isRead({ method, is404, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && !is404 && routeOptions.config.call === 'read';
}
