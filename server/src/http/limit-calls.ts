/**
 * Shows on each answer where the account stands with the soft limits, counts calls beyond them, and refuses those when
 * the operator says so. Added as routes are, after authentication. The headers are ours. Spec: Limits. Open point
 * OP-80.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { LimitedCall, SoftLimits } from '../soft-limits/counter.ts';
import {
  isEndedState,
  type LimitedGroup,
  limitedGroupOf,
  SOFT_LIMIT_NAMES,
  STATUS_CHECKS,
} from '../soft-limits/limits.ts';
import { isOver, leftOf, type Standing } from '../soft-limits/standing.ts';
import { PROBLEMS, sendProblem } from './problem.ts';
import type { Routes } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** With the limits that hold for the call; null where none does. */
    standings: readonly Standing[] | null;
  }
}

type LimitContext = Pick<Context, 'settings' | 'clock' | 'metrics'>;

const MS_PER_SECOND = 1_000;

export function limitCalls(ctx: LimitContext, limits: Pick<SoftLimits, 'count' | 'end' | 'hasEnded'>): Routes {
  const { clock, metrics, settings } = ctx;
  const countOver = metrics.counter({
    name: 'payferry_soft_limit_exceeded_total',
    help: 'Calls beyond a soft limit, by limit; they were refused only if limits.enforce_soft is on.',
    labels: ['limit'],
    fromZero: SOFT_LIMIT_NAMES.map((limit) => ({ limit })),
  });
  /** Whether the call is refused. */
  const limit = async (request: FastifyRequest, group: LimitedGroup): Promise<boolean> => {
    const call = limitedCallOf(request);
    if (call === undefined) return false;
    const counted = limits.count(group, call);
    const isChecked = counted.filter(isOver).some(isStatusCheck);
    const standings = isChecked && (await limits.hasEnded(call)) ? withoutStatusChecks(counted) : counted;
    request.standings = standings;
    const over = standings.filter(isOver);
    for (const { name } of over) countOver({ limit: name });
    return over.length > 0 && settings.limits.enforceSoft;
  };
  /** Of one that has ended the answer says so. */
  const standingsBy = (request: FastifyRequest, reply: FastifyReply, standings: readonly Standing[]) => {
    if (!standings.some(isStatusCheck) || !isEndedState(reply.shownState)) return standings;
    const call = limitedCallOf(request);
    if (call) limits.end(call);
    return withoutStatusChecks(standings);
  };
  return (server) => {
    server.decorateRequest('standings', null);
    server.decorateReply('shownState', null);
    server.addHook('preHandler', (request, reply, done) => {
      const group = limitedGroupOf(request.method, request.routeOptions.url ?? '');
      if (group === null) return done();
      limit(request, group).then((isRefused) => {
        if (isRefused) sendProblem(reply, 'too_many');
        else done();
      }, done);
    });
    server.addHook('onSend', (request, reply, payload, done) => {
      if (request.standings === null) return done(null, payload);
      const standings = standingsBy(request, reply, request.standings);
      const shown = longest(standings.filter(isOver)) ?? nearest(standings);
      if (shown) showStanding(reply, shown, clock.now().getTime());
      done(null, payload);
    });
  };
}

function limitedCallOf({ call, params }: FastifyRequest): LimitedCall | undefined {
  if (call === null) return undefined;
  const objectId: unknown = Reflect.get(Object(params), 'id');
  return { accountId: call.accountId, objectId: typeof objectId === 'string' ? objectId : undefined };
}

function isStatusCheck({ name }: Standing): boolean {
  return name === STATUS_CHECKS;
}

function withoutStatusChecks(standings: readonly Standing[]): Standing[] {
  return standings.filter((standing) => !isStatusCheck(standing));
}

/** Of the limits that are exceeded, the one that holds longest; waiting for it is enough. */
function longest(over: readonly Standing[]): Standing | undefined {
  return [...over].sort((one, other) => other.resetsAtMs - one.resetsAtMs)[0];
}

/** The limit that the next calls meet first; of two with as many left, the one that holds longer. */
function nearest(standings: readonly Standing[]): Standing | undefined {
  return [...standings].sort((one, other) => leftOf(one) - leftOf(other) || other.resetsAtMs - one.resetsAtMs)[0];
}

/** The seconds until the limit begins anew are rounded up. */
function showStanding(reply: FastifyReply, standing: Standing, nowMs: number): void {
  const waitSeconds = String(Math.max(0, Math.ceil((standing.resetsAtMs - nowMs) / MS_PER_SECOND)));
  reply.header('x-soft-limit-name', standing.name);
  reply.header('x-soft-limit-limit', String(standing.allowed));
  reply.header('x-soft-limit-remaining', String(leftOf(standing)));
  reply.header('x-soft-limit-reset', waitSeconds);
  if (reply.statusCode === PROBLEMS.too_many.status) reply.header('retry-after', waitSeconds);
}
