/**
 * Who asks: every request of the operator listener carries the bearer token of a named operator. Only files are opened
 * without, under addresses that an operator was given, and health is told to anybody. Metrics have a token of their own
 * too, because whoever reads them should not be able to move money.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OPERATOR_REFUSALS } from '../accounts/operator-refusals.ts';
import type { Operator } from '../accounts/operators.ts';
import { type FindTokenOwner, openTokenOwners } from '../accounts/token-owners.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Command, OperatorContext } from './command.ts';
import { sendProblem } from './problem.ts';
import { tellUnproved, type UnprovedOperator } from './unproved.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the operator; set before any handler runs. */
    operatorName: string;
  }
  interface FastifyContextConfig {
    /** The address carries its own permission: it was given to an operator, and expires. */
    isSignedAddress?: true;
    /** `operator.metrics_token` opens it. */
    isMetrics?: true;
  }
}

/** A UUID that the operator's program makes once for an action and sends again when it repeats the action. */
const COMMAND_ID_HEADER = 'command-id';

const BEARER = /^Bearer +([^\s]+)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function authenticateOperators(
  app: FastifyInstance,
  ctx: OperatorContext,
  metrics: Pick<Metrics, 'counter'>,
): void {
  const tell = tellUnproved(ctx.log, metrics);
  const ownerOf = openTokenOwners(ctx.db);
  app.decorateRequest('operatorName', '');
  app.addHook('onRequest', async (request, reply) => {
    const { isSignedAddress, isMetrics, call } = request.routeOptions.config;
    if (isSignedAddress === true || call === 'public') return;
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (isMetrics === true && token !== undefined && isSameToken(token, ctx.settings.operator.metricsToken)) return;
    const found = await findOperator(ownerOf, request.headers.authorization, token);
    if ('reason' in found) {
      tell(request, found);
      const details = [OPERATOR_REFUSALS.unauthorized];
      return sendProblem(reply.header('www-authenticate', 'Bearer'), { status: 401, error: 'unauthorized', details });
    }
    request.operatorName = found.name;
    const commandId = request.headers[COMMAND_ID_HEADER];
    if (commandId === undefined || (typeof commandId === 'string' && UUID.test(commandId))) return;
    return sendProblem(reply, { status: 422, error: 'invalid', details: [`${COMMAND_ID_HEADER}: is not a UUID`] });
  });
}

async function findOperator(
  ownerOf: FindTokenOwner,
  header: string | undefined,
  token: string | undefined,
): Promise<Operator | UnprovedOperator> {
  if (header === undefined) return { reason: 'token_missing' };
  if (token === undefined) return { reason: 'token_malformed' };
  const owner = await ownerOf(token);
  if (owner === undefined) return { reason: 'token_unknown' };
  return owner.revokedAt === null ? owner : { reason: 'token_revoked', operator: owner };
}

/** Hashes are of one length, so that the time taken tells nothing about the right one. */
function isSameToken(given: string, right: string | null): boolean {
  if (right === null) return false;
  const [one, other] = [given, right].map((token) => createHash('sha256').update(token).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** The command of a request: under the id that came with it, or a new one. */
export function commandOf(ctx: OperatorContext, request: FastifyRequest): Command {
  const given = request.headers[COMMAND_ID_HEADER];
  return {
    commandId: typeof given === 'string' ? given.toLowerCase() : ctx.ids.next(),
    operator: request.operatorName,
  };
}
