/**
 * The only place where something that went wrong becomes an answer of the operator API: `{error, details}`, a word and
 * sentences. A refusal is 404 or 422 and changed nothing; 503 means that repeating is right, under the same command id.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorRefusal, Outcome } from '../accounts/operator-refusals.ts';
import { mayRunAgain, OutcomeUnknown, Overloaded } from '../kernel/batch.ts';
import { CommitUnknown } from '../kernel/database.ts';
import type { Log } from '../kernel/log.ts';
import { answerUnreadable, type Unreadable } from '../listeners/unreadable.ts';
import { UNMATCHED_ROUTE } from '../observability/metrics.ts';
import { sayFormFaults } from './form-faults.ts';

export interface Problem {
  readonly status: number;
  readonly error: string;
  readonly details: readonly string[];
}

const STATUS_OF_REFUSAL: Partial<Record<OperatorRefusal['code'], number>> = {
  unauthorized: 401,
  account_not_found: 404,
  api_log_not_found: 404,
  audit_not_found: 404,
  key_not_found: 404,
  operator_not_found: 404,
  recipient_not_found: 404,
  sender_not_found: 404,
  provider_not_found: 404,
  webhook_not_found: 404,
  event_not_found: 404,
  transaction_not_found: 404,
  payin_not_found: 404,
  rule_not_found: 404,
  sandbox_only: 404,
};
const REFUSED = 422;

/** Requests that were not understood at all; the framework tells these by their status. */
const WORDS_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'bad_request',
  404: 'not_found',
  413: 'body_too_large',
  415: 'media_type_unknown',
};

/** To one whose large answers fill the room for them (listeners/answer-room.ts). */
export const ANSWERS_UNTAKEN = {
  error: 'unavailable',
  details: ['nothing was done; large answers wait to be taken first'],
};

/** To requests that reach no route. */
const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  unreadable: 'the request cannot be read',
  too_slow: 'the request did not arrive in time',
  headers_too_large: 'the headers are too large',
};

export function answerClientError(fault: { readonly code: string }, socket: Socket): void {
  answerUnreadable(fault, socket, (why) => ({ body: { error: 'bad_request', details: [UNREADABLE[why]] } }));
}

export function problemOf(refusal: OperatorRefusal): Problem {
  return { status: STATUS_OF_REFUSAL[refusal.code] ?? REFUSED, error: refusal.code, details: refusal.details };
}

export function sendProblem(reply: FastifyReply, { status, error, details }: Problem): FastifyReply {
  return reply.code(status).send({ error, details });
}

/** The end of every action: its result as operators see it, or the refusal. */
export function sendOutcome<T>(
  reply: FastifyReply,
  outcome: Outcome<T>,
  view: (value: T) => object,
  status = 200,
): FastifyReply {
  if (!outcome.ok) return sendProblem(reply, problemOf(outcome.refusal));
  return reply.code(status).send(view(outcome.value));
}

export function handleFault(log: Log, fault: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOfFault(fault);
  const isFault = problem.status >= 500;
  if (isFault) log.error('operator request failed', { request_id: request.id, route: routeOf(request) }, fault);
  return sendProblem(reply, isFault ? { ...problem, details: [...problem.details, `request ${request.id}`] } : problem);
}

export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? UNMATCHED_ROUTE;
}

type Fault = Error & Partial<Pick<FastifyError, 'validation' | 'validationContext' | 'statusCode'>>;

export function problemOfFault(fault: Fault): Problem {
  if (fault.validation) return problemOfForm(fault);
  if (fault instanceof OutcomeUnknown || fault instanceof CommitUnknown) {
    const details = ['it may have happened; repeat it under the same command id to find out'];
    return { status: 503, error: 'outcome_unknown', details };
  }
  // Also deadlocks, time after time.
  if (fault instanceof Overloaded || mayRunAgain(fault)) {
    return { status: 503, error: 'unavailable', details: ['nothing was done; try again in a moment'] };
  }
  const status = fault.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    return { status, error: WORDS_BY_STATUS[status] ?? 'bad_request', details: [fault.message] };
  }
  return { status: 500, error: 'fault', details: ['something broke in the program; its log says what'] };
}

/**
 * A name in the path that cannot be one names nothing: 404. Everything else of a wrong form is refused field by field.
 */
function problemOfForm({ validation = [], validationContext }: Fault): Problem {
  if (validationContext === 'params') {
    return { status: 404, error: 'not_found', details: sayFormFaults(validation, 'is not') };
  }
  return { status: REFUSED, error: 'invalid', details: sayFormFaults(validation, 'must be') };
}
