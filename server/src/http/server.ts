/**
 * The HTTP edge: one Fastify instance with authentication, bodies, errors, request ids, log and metrics, to which each
 * resource adds its routes. It never redirects, because a signature covers the address that was called, and it waits
 * longer than a minute, because create_and_fund may take that long. Spec: Endpoints, Authentication, Errors.
 */
import type { Server } from 'node:http';
import { type FastifyHttpOptions, type FastifyInstance, fastify } from 'fastify';
import type { Credentials } from '../accounts/credentials.ts';
import type { Context } from '../context.ts';
import { programVersion } from '../kernel/program-files.ts';
import { boundUntakenAnswers } from '../listeners/answer-room.ts';
import { listenerServer } from '../listeners/listener.ts';
import { authenticateCalls } from './authenticate.ts';
import { readBody, takeBodiesAsBytes } from './body.ts';
import { boundLargeBodies } from './body-room.ts';
import { answerClientError } from './client-error.ts';
import { answerFault, handleErrors, refuseBody } from './error-handler.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { openNonceKeeper } from './nonce-keeper.ts';
import { describeRoutes } from './openapi/describe.ts';
import { PROBLEMS, sendProblem } from './problem.ts';
import { parseQuery, readQueriesBySchema } from './query.ts';
import { readInTurns } from './reads-in-turns.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { openRequests, type Requests } from './requests.ts';
import { takeUnreadBodies } from './unread-body.ts';

/** What the edge itself needs; the routes were given what they need when they were made. */
export type EdgeContext = Pick<Context, 'db' | 'clock' | 'ids' | 'settings' | 'log' | 'metrics'>;

/** Adds the routes of one resource. */
export type Routes = (server: FastifyInstance) => void;

interface ServerParts {
  readonly credentials: Credentials;
  readonly readiness: Readiness;
  readonly routes: readonly Routes[];
}

const MAX_PARAM_CHARS = 200;

export function buildServer(ctx: EdgeContext, parts: ServerParts): FastifyInstance {
  const requests = openRequests(ctx);
  const server = fastify(serverOptions(ctx, requests));
  const nonces = openNonceKeeper(ctx);
  server.addHook('onClose', async () => {
    requests.close();
    await nonces.close();
  });
  server.addHook('onRequest', (request, reply, done) => {
    requests.follow(request, reply);
    reply.header(REQUEST_ID_HEADER, request.id);
    // Neither a path nor a query with it could be looked up: the database has no such text.
    if (request.raw.url?.includes('%00')) sendProblem(reply, 'nul_character');
    // Before the body is read: anybody may ask for what is not there.
    else if (request.is404) sendProblem(reply, 'not_found');
    else done();
  });
  takeBodiesAsBytes(server);
  takeUnreadBodies(server);
  authenticateCalls(server, ctx, { credentials: parts.credentials, nonces });
  boundLargeBodies(server, ctx);
  server.addHook('preValidation', (request, reply, done) => {
    const body = request.is404 ? undefined : readBody(request);
    if (body === undefined) return done();
    if (body.ok) {
      request.body = body.value;
      return done();
    }
    if ('problem' in body) sendProblem(reply, body.problem);
    else refuseBody(request, reply, body.value, body.refusals);
  });
  readQueriesBySchema(server);
  readInTurns(server, ctx);
  boundUntakenAnswers(server, {
    totalBytes: ctx.settings.http.untakenAnswersBytes,
    takenWithinMs: ctx.settings.http.requestTimeoutMs,
    callerOf: (request) => request.call?.accountId ?? '',
    refusal: PROBLEMS.answers_untaken,
  });
  handleErrors(server, ctx);
  const { publicUrl, webhooks } = ctx.settings;
  describeRoutes(server, {
    version: programVersion(),
    publicUrl,
    webhookSourceAddresses: webhooks.sourceAddresses,
  });
  healthRoutes(server, parts.readiness);
  for (const addRoutes of parts.routes) addRoutes(server);
  return server;
}

function serverOptions(ctx: EdgeContext, requests: Requests): FastifyHttpOptions<Server> {
  const { ids, log, settings } = ctx;
  const { http } = settings;
  return {
    logger: false,
    genReqId: () => ids.next(),
    requestIdHeader: false,
    bodyLimit: http.bodyLimitBytes,
    exposeHeadRoutes: false,
    // A stopping process still answers the calls that reach it over connections it has.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: listenerServer(ctx, {
      name: 'api',
      maxConnections: http.maxConnections,
      arrivesWithinMs: http.requestTimeoutMs,
      takenWithinMs: http.requestTimeoutMs,
    }),
    routerOptions: { maxParamLength: MAX_PARAM_CHARS, querystringParser: parseQuery },
    // Types are never converted in bodies: "false" is a text, and a text where a truth value belongs is refused.
    ajv: { customOptions: { coerceTypes: false, allErrors: true, removeAdditional: false } },
    // An address that cannot be read reaches no hook: what they do is done here.
    frameworkErrors: (fault, request, reply) => {
      requests.follow(request, reply);
      reply.header(REQUEST_ID_HEADER, request.id);
      answerFault(log, fault, request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError({ ids, log }, error, socket),
  };
}
