/**
 * The only place where a refusal or a fault becomes an answer: 422 with the refused object (refused-body.ts), every
 * other status with `{status, error}`. Spec: Errors. Open points OP-67, OP-73, OP-92.
 */
import type { FastifyReply } from 'fastify';
import { type RefusedCall, refusedBody } from './refused-body.ts';

/** Every answer that is neither a success nor a 422. The texts are ours, for people; programs go by the status. */
export const PROBLEMS = {
  unreadable: { status: 400, error: 'the request cannot be read' },
  not_json: { status: 400, error: 'the body is not JSON in UTF-8' },
  too_complex: { status: 400, error: 'the body is nested too deeply or holds too many values' },
  nul_character: { status: 400, error: 'the address holds a NUL character, which nothing stored can have' },
  credentials_missing: {
    status: 401,
    error: 'Authorization-Key, Authorization-Nonce and Authorization-Signature are needed, once each',
  },
  // Of the form alone, which tells nobody whether a key exists.
  key_malformed: { status: 401, error: 'Authorization-Key has more than 100 characters, or others than visible ASCII' },
  nonce_malformed: { status: 401, error: 'Authorization-Nonce has more than 200 characters, or others than ASCII' },
  signature_malformed: { status: 401, error: 'Authorization-Signature is not 128 hex digits in lower case' },
  // One text for an unknown key and for a wrong signature, so that nobody can find out which keys exist.
  credentials_wrong: { status: 401, error: 'the key is unknown or the signature is wrong' },
  callback_unproved: { status: 401, error: 'the sender of the callback could not be proved' },
  nonce_used: { status: 401, error: 'the nonce was used before' },
  // Open point OP-155.
  address_expired: { status: 403, error: 'this address has expired: ask for the list again' },
  // Open point OP-207.
  not_admitted: {
    status: 403,
    error: 'the account is not admitted to production yet: the operator has to record its onboarding check first',
  },
  not_found: { status: 404, error: 'there is nothing at this address' },
  too_slow: { status: 408, error: 'the request did not arrive in time' },
  body_too_large: { status: 413, error: 'the body is too large' },
  not_json_type: { status: 415, error: 'a body needs the content type application/json' },
  too_many: { status: 429, error: 'too many calls' },
  headers_too_large: { status: 431, error: 'the headers are too large' },
  internal: { status: 500, error: 'internal error' },
  outcome_unknown: { status: 503, error: 'it is not known yet whether this was done: look before you try again' },
  rates_stale: { status: 503, error: 'the exchange rates are too old to quote by; nothing was done' },
  // Open point OP-232.
  no_room: { status: 503, error: 'too many large bodies are on their way at once; nothing was done' },
  // Open point OP-233.
  answers_untaken: { status: 503, error: 'large answers wait to be taken first; nothing was done' },
  unavailable: { status: 503, error: 'not possible at this moment; nothing was done' },
} as const satisfies Record<string, { status: number; error: string }>;

export type ProblemName = keyof typeof PROBLEMS;

const RETRY_AFTER_SECONDS = '1';

export function sendProblem(reply: FastifyReply, name: ProblemName): FastifyReply {
  const { status } = PROBLEMS[name];
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply.code(status).send(PROBLEMS[name]);
}

export function sendRefused(reply: FastifyReply, refused: RefusedCall): FastifyReply {
  return reply.code(422).send(refusedBody({ ...refused, object: shownObject(reply, refused.object) }));
}

/** A list in place of one object is not echoed: it has no place for errors, and client libraries read one object. */
function shownObject({ request }: FastifyReply, object: unknown): unknown {
  return Array.isArray(object) && !request.routeOptions.config.answersList ? {} : object;
}
