/** API keys: create, list, replace, revoke, reseal. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { accountById } from '../../accounts/find.ts';
import { listKeys, makeCredentials } from '../../accounts/keys.ts';
import { done, refusedAction } from '../../accounts/operator-refusals.ts';
import { formatDuration, parseDuration } from '../../settings/duration.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { createKey, replaceApiKey, resealKeys, revokeApiKey } from '../keys.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, KeyParams, NewKeyBody, ReplaceKeyBody } from '../schemas.ts';
import { keyView } from '../views.ts';

type Account = { Params: Type.Static<typeof AccountParams> };

/** Open point OP-122: time for receivers and callers to change over. */
const DEFAULT_OVERLAP = '7d';
const MAX_OVERLAP_MS = 90 * 86_400_000;

export function keyRoutes(app: FastifyInstance, ctx: OperatorContext, onKeyRevoked: (key: string) => void): void {
  routesOfAccounts(app, ctx);

  app.post('/operator/keys/reseal', async (request, reply) =>
    sendOutcome(reply, await resealKeys(ctx, commandOf(ctx, request)), (resealed) => ({ resealed })),
  );

  app.post<{ Params: Type.Static<typeof KeyParams>; Body: Type.Static<typeof ReplaceKeyBody> }>(
    '/operator/keys/:key/replacement',
    { schema: { params: KeyParams, body: ReplaceKeyBody } },
    async (request, reply) => {
      const overlapMs = parseDuration(request.body.overlap ?? DEFAULT_OVERLAP) ?? MAX_OVERLAP_MS + 1;
      const input = { key: request.params.key, overlapMs, credentials: makeCredentials() };
      const outcome =
        overlapMs > MAX_OVERLAP_MS
          ? refusedAction('invalid', `overlap: is at most ${formatDuration(MAX_OVERLAP_MS)}`)
          : await replaceApiKey(ctx, commandOf(ctx, request), input);
      // Another process hears of the end of the overlap within two seconds, this one at once.
      if (outcome.ok) onKeyRevoked(request.params.key);
      return sendOutcome(
        reply,
        outcome,
        ({ key, secret, replaced }) => ({ key: keyView(key), secret, replaced: keyView(replaced) }),
        201,
      );
    },
  );

  app.delete<{ Params: Type.Static<typeof KeyParams> }>(
    '/operator/keys/:key',
    { schema: { params: KeyParams } },
    async (request, reply) => {
      const outcome = await revokeApiKey(ctx, commandOf(ctx, request), request.params.key);
      if (outcome.ok) onKeyRevoked(request.params.key);
      return sendOutcome(reply, outcome, (key) => ({ key: keyView(key) }));
    },
  );
}

function routesOfAccounts(app: FastifyInstance, ctx: OperatorContext): void {
  app.post<Account & { Body: Type.Static<typeof NewKeyBody> }>(
    '/operator/accounts/:account_id/keys',
    { schema: { params: AccountParams, body: NewKeyBody } },
    async (request, reply) => {
      const outcome = await createKey(ctx, commandOf(ctx, request), {
        accountId: request.params.account_id.toLowerCase(),
        label: request.body.label ?? '',
        credentials: makeCredentials(),
      });
      return sendOutcome(reply, outcome, ({ key, secret }) => ({ key: keyView(key), secret }), 201);
    },
  );

  app.get<Account>(
    '/operator/accounts/:account_id/keys',
    { schema: { params: AccountParams } },
    async ({ params }, reply) => {
      const outcome = await ctx.db.inTx(async (tx) => {
        const account = await accountById(tx, params.account_id);
        return account.ok ? done(await listKeys(tx, account.value.accountId)) : account;
      });
      return sendOutcome(reply, outcome, (keys) => ({ keys: keys.map(keyView) }));
    },
  );
}
