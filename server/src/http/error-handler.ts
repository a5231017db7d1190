/**
 * Where everything ends that did not end in an answer: what a schema refused, what the HTTP layer could not read, and
 * faults. A caller sees a fault's status and never its message or its place; both are in the log, under the request id.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Log } from '../kernel/log.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { faultProblem } from './fault-problem.ts';
import { PROBLEMS, sendProblem, sendRefused } from './problem.ts';
import type { RefusedCall } from './refused-body.ts';
import { schemaRefusals } from './schema-refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name under which the body holds its object: `transaction` in `{"transaction": {...}}`. */
    envelope?: string;
    /** The endpoint answers with a list, so its refusals carry one too: client libraries cannot read anything else. */
    answersList?: boolean;
  }
}

export function handleErrors(server: FastifyInstance, { log }: Pick<Context, 'log'>): void {
  server.setErrorHandler<FastifyError>((fault, request, reply) => answerFault(log, fault, request, reply));
  server.setNotFoundHandler((_request, reply) => sendProblem(reply, 'not_found'));
}

export function answerFault(log: Log, fault: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (fault.validation !== undefined) return answerInvalid(fault, request, reply);
  const name = faultProblem(fault);
  if (PROBLEMS[name].status >= 500) {
    const fields = { request_id: request.id, account_id: request.call?.accountId, route: request.routeOptions.url };
    log.error('request failed', fields, fault);
  }
  return sendProblem(reply, name);
}

/** An id in the path that cannot be one names nothing; everything else is refused on its field. */
function answerInvalid(fault: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { config, schema } = request.routeOptions;
  const faults = fault.validation ?? [];
  if (fault.validationContext === 'params') return sendProblem(reply, 'not_found');
  if (fault.validationContext !== 'body') {
    const refusals = schemaRefusals(faults, request.query, schema?.querystring).map(byFilter);
    return sendRefused(reply, { object: config.answersList ? [] : {}, refusals });
  }
  return refuseBody(request, reply, request.body, schemaRefusals(faults, request.body, schema?.body));
}

/** A filter has one name, however often it is repeated: callers do not count its values. */
function byFilter({ code, path }: Refusal): Refusal {
  return { code, path: path.slice(0, 1) };
}

/** A body that is refused before its handler has seen it. Paths lead into the body. */
export function refuseBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  refusals: readonly Refusal[],
): FastifyReply {
  const { config } = request.routeOptions;
  const { envelope } = config;
  const input: unknown = envelope === undefined ? body : Reflect.get(Object(body), envelope);
  const inside = envelope === undefined ? refusals : refusals.map((refusal) => withoutEnvelope(refusal, envelope));
  return sendRefused(reply, config.answersList ? asList(input, inside) : { object: input, refusals: inside });
}

/** Paths lead into the object. A missing object is still named by its envelope: that is what has to be sent. */
function withoutEnvelope(refusal: Refusal, envelope: string): Refusal {
  const [first, ...rest] = refusal.path;
  return first === envelope && rest.length > 0 ? { ...refusal, path: rest } : refusal;
}

/** One object where a list is answered is the list's only element. */
function asList(input: unknown, refusals: readonly Refusal[]): RefusedCall {
  if (Array.isArray(input)) return { object: input, refusals };
  if (input === undefined) return { object: [], refusals };
  return { object: [input], refusals: refusals.map(({ code, path }) => ({ code, path: [0, ...path] })) };
}
