/**
 * Shows on each answer where the account stands with the soft limits, counts calls beyond them, and refuses those when
 * the operator says so. Added as routes are, after authentication. The headers are ours. Spec: Limits. Open point OP-80.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { SoftLimits } from '../soft-limits/counter.ts';
import { type LimitedGroup, limitedGroupOf, SOFT_LIMIT_NAMES } from '../soft-limits/limits.ts';
import { isOver, type Standing } from '../soft-limits/standing.ts';
import { sendProblem } from './problem.ts';
import type { Routes } from './server.ts';

type LimitContext = Pick<Context, 'settings' | 'clock' | 'metrics'>;

const MS_PER_SECOND = 1_000;

export function limitCalls(ctx: LimitContext, limits: Pick<SoftLimits, 'count'>): Routes {
  const { clock, metrics, settings } = ctx;
  const countOver = metrics.counter({
    name: 'payferry_soft_limit_exceeded_total',
    help: 'Calls beyond a soft limit, by limit; they were refused only if limits.enforce_soft is on.',
    labels: ['limit'],
    fromZero: SOFT_LIMIT_NAMES.map((limit) => ({ limit })),
  });
  const limit = (request: FastifyRequest, reply: FastifyReply, group: LimitedGroup): boolean => {
    if (request.call === null) return false;
    const objectId: unknown = Reflect.get(Object(request.params), 'id');
    const standings = limits.count(group, {
      accountId: request.call.accountId,
      objectId: typeof objectId === 'string' ? objectId : undefined,
    });
    const over = standings.filter(isOver);
    for (const { name } of over) countOver({ limit: name });
    const shown = longest(over) ?? standings[0];
    const waitSeconds = shown && showStanding(reply, shown, clock.now().getTime());
    if (over.length === 0 || !settings.limits.enforceSoft) return false;
    reply.header('retry-after', String(waitSeconds));
    return true;
  };
  return (server) => {
    server.addHook('preHandler', (request, reply, done) => {
      const group = limitedGroupOf(request.method, request.routeOptions.url ?? '');
      if (group !== null && limit(request, reply, group)) sendProblem(reply, 'too_many');
      else done();
    });
  };
}

/** Of the limits that are exceeded, the one that holds longest; waiting for it is enough. */
function longest(over: readonly Standing[]): Standing | undefined {
  return [...over].sort((one, other) => other.resetsAtMs - one.resetsAtMs)[0];
}

/** Gives the seconds until the limit begins anew, rounded up. */
function showStanding(reply: FastifyReply, { name, allowed, used, resetsAtMs }: Standing, nowMs: number): number {
  const waitSeconds = Math.max(0, Math.ceil((resetsAtMs - nowMs) / MS_PER_SECOND));
  reply.header('x-soft-limit-name', name);
  reply.header('x-soft-limit-limit', String(allowed));
  reply.header('x-soft-limit-remaining', String(Math.max(0, allowed - used)));
  reply.header('x-soft-limit-reset', String(waitSeconds));
  return waitSeconds;
}
