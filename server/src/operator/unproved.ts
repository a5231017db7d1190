/**
 * Why a request to the operator listener was answered with 401: for the log and the metrics, as the API has it for its
 * callers (http/unproved.ts). Whoever asks hears none of it, and nothing of a token is logged. Strangers cannot fill
 * the log: each reason is told once a minute for each address, with how often it came in between.
 */
import type { FastifyRequest } from 'fastify';
import type { Operator } from '../accounts/operators.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { Repeats } from '../observability/repeats.ts';
import { routeOf } from './problem.ts';

/** In the order in which they are looked for. docs/support.md says what to do about each. */
export const UNPROVED_OPERATOR_REASONS = [
  'token_missing',
  'token_malformed',
  'token_unknown',
  'token_revoked',
] as const;

type UnprovedOperatorReason = (typeof UNPROVED_OPERATOR_REASONS)[number];

export interface UnprovedOperator {
  readonly reason: UnprovedOperatorReason;
  /** Whose token it was. */
  readonly operator?: Operator | undefined;
}

export function tellUnproved(
  log: Log,
  { counter }: Pick<Metrics, 'counter'>,
): (request: FastifyRequest, unproved: UnprovedOperator) => void {
  const count = counter({
    name: 'payferry_unproved_operator_requests_total',
    help: 'Requests to the operator listener that were answered with 401, by the reason that the log has too.',
    labels: ['reason'],
    fromZero: UNPROVED_OPERATOR_REASONS.map((reason) => ({ reason })),
  });
  const repeats = new Repeats();
  return (request, { reason, operator }) => {
    count({ reason });
    const { method, id, ip } = request;
    const untold = repeats.note(JSON.stringify([reason, ip, operator?.name]));
    if (untold === undefined) return;
    const fields = { request_id: id, method, route: routeOf(request), from: ip };
    log.warn('an operator was not proved', { ...fields, unproved: reason, operator: operator?.name, ...untold });
  };
}
