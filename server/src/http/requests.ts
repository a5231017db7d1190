/**
 * The requests under way. When one ends, also by a caller who went away, it leaves one log line and one observation:
 * method, pattern of the route, status, duration, request id and account, and why nobody was proved to have sent it.
 * Never the query, which may hold an external id, and never a body. One that takes too long is answered for: its work
 * goes on, so its outcome is unknown.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { Passing } from '../kernel/passing.ts';
import { UNMATCHED_ROUTE } from '../observability/metrics.ts';
import { isBodyAnnounced } from './body.ts';
import { sendProblem } from './problem.ts';
import { UNPROVED_REASONS, type UnprovedReason, whyUnproved } from './unproved.ts';

type RecordContext = Pick<Context, 'log' | 'metrics' | 'settings'>;

interface UnderWay {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly startedAtMs: number;
}

/** The caller went away before the answer; nobody ever sees this status but the operator. */
const CALLER_GONE = 499;
const SWEEP_EVERY_MS = 1_000;

export interface Requests {
  /** To be called once for each request, as early as possible. */
  follow(request: FastifyRequest, reply: FastifyReply): void;
  close(): void;
}

export function openRequests(ctx: RecordContext): Requests {
  const underWay = new Passing<UnderWay>();
  const countUnproved = ctx.metrics.counter({
    name: 'payferry_unproved_calls_total',
    help: 'Calls that were answered with 401, by the reason that the log has too.',
    labels: ['reason'],
    fromZero: UNPROVED_REASONS.map((reason) => ({ reason })),
  });
  const sweep = setInterval(
    () => answerLate(underWay.members(), ctx.settings.http.requestTimeoutMs),
    SWEEP_EVERY_MS,
  ).unref();
  return {
    follow(request, reply) {
      const one = { request, reply, startedAtMs: request.raw.arrivedAtMs ?? performance.now() };
      const leave = underWay.add(one);
      reply.raw.once('close', () => {
        leave();
        record(ctx, one, countUnproved);
      });
    },
    close: () => clearInterval(sweep),
  };
}

function answerLate(underWay: readonly UnderWay[], limitMs: number): void {
  const nowMs = performance.now();
  for (const { request, reply, startedAtMs } of underWay) {
    if (nowMs - startedAtMs < limitMs || reply.sent) continue;
    sendProblem(reply, isBodyAwaited(request) ? 'too_slow' : 'outcome_unknown');
  }
}

/** Before all of its body is there nothing is begun: it is the caller who is late. */
function isBodyAwaited({ raw, rawBody, headers }: FastifyRequest): boolean {
  return isBodyAnnounced(headers) && rawBody === null && !raw.complete;
}

function record(
  { log, metrics }: RecordContext,
  { request, reply, startedAtMs }: UnderWay,
  countUnproved: (labels: { readonly reason: UnprovedReason }) => void,
): void {
  const route = request.is404 ? UNMATCHED_ROUTE : (request.routeOptions.url ?? UNMATCHED_ROUTE);
  const status = reply.raw.writableFinished ? reply.statusCode : CALLER_GONE;
  const ms = performance.now() - startedAtMs;
  const { method } = request;
  metrics.observeRequest({ method, route, status, seconds: ms / 1_000 });
  const unproved = whyUnproved(request, reply);
  if (unproved !== undefined) countUnproved({ reason: unproved.reason });
  log.info('request', {
    request_id: request.id,
    method,
    route,
    status,
    ms: Math.round(ms * 100) / 100,
    account_id: request.call?.accountId ?? unproved?.accountId,
    unproved: unproved?.reason,
    ...unproved?.fields,
  });
}
