/**
 * The operator listener: a server of its own, apart from the one that callers use, on loopback unless the operator says
 * otherwise. JSON in and out under /operator, and /metrics for Prometheus; every request needs an operator's token, but
 * for files under addresses that an operator was given, and health.
 */
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { boundUntakenAnswers } from '../listeners/answer-room.ts';
import { listenerServer } from '../listeners/listener.ts';
import { authenticateOperators } from './authenticate.ts';
import { describeOperatorRoutes, type OperatorRoute } from './describe.ts';
import { ANSWERS_UNTAKEN, answerClientError, handleFault, routeOf, sendProblem } from './problem.ts';
import { accountRoutes } from './routes/accounts.ts';
import { apiLogRoutes } from './routes/api-logs.ts';
import { attentionRoutes } from './routes/attention.ts';
import { balanceRoutes } from './routes/balances.ts';
import { corridorRoutes } from './routes/corridors.ts';
import { eventRoutes } from './routes/events.ts';
import { findRoutes } from './routes/find.ts';
import { holdRoutes } from './routes/holds.ts';
import { keyRoutes } from './routes/keys.ts';
import { onboardingRoutes } from './routes/onboarding.ts';
import { operatorRoutes } from './routes/operators.ts';
import { payinRoutes } from './routes/payins.ts';
import { proofRoutes } from './routes/proofs.ts';
import { providerRoutes } from './routes/providers.ts';
import { rateRoutes } from './routes/rates.ts';
import { recipientRoutes } from './routes/recipients.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { serviceRoutes } from './routes/service.ts';
import { transactionRoutes } from './routes/transactions.ts';
import { usageRoutes } from './routes/usage.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import type { OperatorServerOptions } from './server-options.ts';

/** Requests are a few fields; a route that takes a file has a bound of its own. */
const BODY_LIMIT_BYTES = 64 * 1024;
/** For the request to arrive, not for its answer: a verification of the ledger takes its time. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Operators, their programs and a scraper: few, each with a few connections. Open point OP-236. */
const MAX_CONNECTIONS = 500;
/** A key of 100 characters, each of them escaped. */
const MAX_PARAM_CHARS = 300;

export function buildOperatorServer(options: OperatorServerOptions): FastifyInstance {
  return buildDescribedServer(options).app;
}

/** With the list of its routes, from which their description is made. */
export function buildDescribedServer(options: OperatorServerOptions): {
  readonly app: FastifyInstance;
  readonly routes: readonly OperatorRoute[];
} {
  const { ctx, metrics } = options;
  const { http } = ctx.settings;
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: listenerServer(
      { log: ctx.log, metrics },
      {
        name: 'operator',
        maxConnections: MAX_CONNECTIONS,
        arrivesWithinMs: REQUEST_TIMEOUT_MS,
        takenWithinMs: http.requestTimeoutMs,
      },
    ),
    routerOptions: { maxParamLength: MAX_PARAM_CHARS },
    genReqId: () => ctx.ids.next(),
    // An address that cannot be read reaches no hook.
    frameworkErrors: (fault, request, reply) => handleFault(ctx.log, fault, request, reply),
    clientErrorHandler: answerClientError,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } },
  });
  app.removeContentTypeParser('text/plain');
  authenticateOperators(app, ctx, metrics);
  boundUntakenAnswers(app, {
    totalBytes: http.untakenAnswersBytes,
    takenWithinMs: http.requestTimeoutMs,
    callerOf: (request) => request.operatorName,
    refusal: ANSWERS_UNTAKEN,
  });
  app.setErrorHandler((fault: FastifyError, request, reply) => handleFault(ctx.log, fault, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const details = [`no such path: ${request.method} ${request.url.split('?', 1)[0]}`];
    return sendProblem(reply, { status: 404, error: 'not_found', details });
  });
  app.addHook('onResponse', async (request, reply) => {
    const seconds = reply.elapsedTime / 1_000;
    metrics.observeRequest({ method: request.method, route: routeOf(request), status: reply.statusCode, seconds });
  });
  // Before the description: what a balancer asks is no action of an operator.
  options.addHealth(app);
  const routes = describeOperatorRoutes(app);
  addRoutes(app, options);
  return { app, routes };
}

function addRoutes(app: FastifyInstance, options: OperatorServerOptions): void {
  const { ctx } = options;
  accountRoutes(app, ctx);
  usageRoutes(app, ctx);
  apiLogRoutes(app, ctx);
  keyRoutes(app, ctx, options.onKeyRevoked ?? (() => undefined));
  balanceRoutes(app, ctx);
  rateRoutes(app, ctx);
  corridorRoutes(app, options);
  proofRoutes(app, ctx);
  operatorRoutes(app, ctx);
  attentionRoutes(app, ctx);
  findRoutes(app, ctx);
  transactionRoutes(app, ctx, options.takers);
  recipientRoutes(app, ctx, options.takers);
  payinRoutes(app, ctx, options.payinProviders);
  holdRoutes(app, ctx);
  onboardingRoutes(app, ctx);
  reviewRoutes(app, ctx);
  providerRoutes(app, ctx, options.health);
  webhookRoutes(app, options);
  eventRoutes(app, ctx);
  serviceRoutes(app, options);
}
