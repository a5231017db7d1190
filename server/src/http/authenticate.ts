/**
 * Authentication of every call. A route says what kind of call it takes, and none can be added without saying so:
 *
 * - public: anybody may call, nothing is checked.
 * - read: the nonce is stored before the handler runs.
 * - operation: the handler takes the call by `takeCall` and hands it to an operation, which stores the nonce in its own
 *   batch, in the same commit as what it does.
 *
 * No answer to an authentic call leaves before its nonce is stored, also when the call was refused on its way to an
 * operation. Spec: Authentication. Open points OP-65, OP-67.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Call } from '../accounts/calls.ts';
import type { Credentials } from '../accounts/credentials.ts';
import type { Context } from '../context.ts';
import { assert } from '../kernel/assert.ts';
import { hashBody, isSignature } from '../kernel/signature.ts';
import { mayBeLarge } from './body-room.ts';
import { addressHeaders, addressPolicy } from './called-address.ts';
import { faultProblem } from './fault-problem.ts';
import type { NonceKeeper } from './nonce-keeper.ts';
import { type HeaderFault, type Presented, readPresented } from './presented.ts';
import { PROBLEMS, type ProblemName, sendProblem } from './problem.ts';
import { type AddressPolicy, signedUrls } from './signed-urls.ts';
import { type Unproved, unusableKey, wrongSignature } from './unproved.ts';

export type CallKind = 'public' | 'read' | 'operation';

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: CallKind;
  }
  interface FastifyRequest {
    presented: Presented | null;
    /** Set once the signature proved right. */
    call: Call | null;
    /** Whether the nonce is stored, or somebody else has taken it on. */
    isNonceTaken: boolean;
  }
}

type AuthenticationContext = Pick<Context, 'settings' | 'clock'>;

interface AuthenticationParts {
  readonly credentials: Credentials;
  readonly nonces: NonceKeeper;
}

/** The call, for a handler that only reads. */
export function callOf(request: FastifyRequest): Call {
  assert(request.call !== null, 'a route that asks for its call is authenticated');
  return request.call;
}

/** The call, for an operation that stores its nonce. An operation that finds it used answers `nonce_used`. */
export function takeCall(request: FastifyRequest): Call {
  assert(request.routeOptions.config.call === 'operation', 'only routes of operations hand their nonce on');
  request.isNonceTaken = true;
  return callOf(request);
}

export function authenticateCalls(
  server: FastifyInstance,
  ctx: AuthenticationContext,
  parts: AuthenticationParts,
): void {
  server.decorateRequest('presented', null);
  server.decorateRequest('unproved', null);
  server.decorateRequest('call', null);
  server.decorateRequest('isNonceTaken', false);
  server.addHook('onRoute', ({ method, url, config }) => {
    assert(config?.call !== undefined, `${method} ${url} says which kind of call it takes`);
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!isAuthenticated(request)) return done();
    const presented = readPresented(request.raw.rawHeaders);
    if (typeof presented === 'string') {
      // Before the body is read: nobody makes us read megabytes without at least looking like a caller.
      request.unproved = { reason: presented };
      sendProblem(reply, PROBLEM_OF_HEADERS[presented]);
      return;
    }
    request.presented = presented;
    if (mayBeLarge(request.raw.headers)) refuseUnknown(parts.credentials, presented, reply, done);
    else done();
  });
  const check = callChecker(ctx, parts);
  server.addHook('preValidation', async (request, reply) => {
    if (request.presented !== null) return check(request, reply, request.presented);
  });
  addNonceGuard(server, parts.nonces);
}

const PROBLEM_OF_HEADERS = {
  headers_missing: 'credentials_missing',
  header_doubled: 'credentials_missing',
  key_malformed: 'key_malformed',
  nonce_malformed: 'nonce_malformed',
  signature_malformed: 'signature_malformed',
} as const satisfies Record<HeaderFault, ProblemName>;

/**
 * A large body is taken in only where somebody has the key: whoever invents one would fill our memory. So it shows in
 * time whether a key exists. It is no secret, and has too many characters to be found by trying.
 */
function refuseUnknown(
  credentials: Credentials,
  { key }: Presented,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  credentials.find(key).then((credential) => {
    // Meanwhile a call that took too long may have been answered for.
    if (reply.sent) return;
    if ('why' in credential) refuse(reply, unusableKey(credential));
    else done();
  }, done);
}

function refuse(reply: FastifyReply, unproved: Unproved): FastifyReply {
  reply.request.unproved = unproved;
  return sendProblem(reply, 'credentials_wrong');
}

/** Paths that no route has are answered with 404 to anybody. */
function isAuthenticated(request: FastifyRequest): boolean {
  return !request.is404 && request.routeOptions.config.call !== 'public';
}

function callChecker({ settings, clock }: AuthenticationContext, { credentials, nonces }: AuthenticationParts) {
  const policy = addressPolicy(settings);
  // An unknown key is checked against a secret that nobody knows, so that it takes as long as a wrong signature. Only
  // large bodies make a difference.
  const decoy = randomBytes(32).toString('hex');

  return async (request: FastifyRequest, reply: FastifyReply, presented: Presented) => {
    const { key, nonce } = presented;
    const credential = await credentials.find(key);
    const isUnusable = 'why' in credential;
    const isRight = isSignedBy(policy, request, presented, isUnusable ? decoy : credential.secret);
    if (isUnusable) return refuse(reply, unusableKey(credential));
    if (!isRight) return refuse(reply, wrongSignature(policy, request, credential));
    // The id of the answer's header, so that whoever names it can be shown the call. Open point OP-93.
    const call = { accountId: credential.accountId, key, nonce, commandId: request.id, at: clock.now() };
    request.call = call;
    // Only who proved to be the account hears it. Open point OP-207.
    if (settings.mode === 'live' && !credential.isAdmitted) return sendProblem(reply, 'not_admitted');
    if (request.routeOptions.config.call !== 'read') return;
    request.isNonceTaken = true;
    if (!(await nonces.keep(call))) return sendProblem(reply, 'nonce_used');
  };
}

function isSignedBy(policy: AddressPolicy, request: FastifyRequest, presented: Presented, secret: string): boolean {
  const { method, url = '' } = request.raw;
  const address = addressHeaders(request.raw.headers);
  const { nonce, signature } = presented;
  const bodyHash = hashBody(request.rawBody ?? '');
  for (const signed of signedUrls(policy, address, url)) {
    if (isSignature(signature, { nonce, method: method ?? '', url: signed, bodyHash }, secret)) return true;
  }
  return false;
}

/** Calls that were refused before an operation took them use up their nonce too; only faults leave it usable. */
function addNonceGuard(server: FastifyInstance, nonces: NonceKeeper): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.call === null || request.isNonceTaken || reply.statusCode >= 500) return done(null, payload);
    request.isNonceTaken = true;
    const send = (name?: ProblemName) => {
      // Meanwhile a call that took too long may have been answered for.
      if (reply.sent) return;
      if (name === undefined) return done(null, payload);
      reply.code(PROBLEMS[name].status).header('content-type', 'application/json; charset=utf-8');
      done(null, JSON.stringify(PROBLEMS[name]));
    };
    nonces.keep(request.call).then(
      (isFirstUse) => send(isFirstUse ? undefined : 'nonce_used'),
      (fault: unknown) => send(faultProblem(fault)),
    );
  });
}
