/** API keys: create, list, revoke. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { accountById } from '../../accounts/find.ts';
import { listKeys, makeCredentials } from '../../accounts/keys.ts';
import { done } from '../../accounts/operator-refusals.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { createKey, revokeApiKey } from '../keys.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, KeyParams, NewKeyBody } from '../schemas.ts';
import { keyView } from '../views.ts';

type Account = { Params: Type.Static<typeof AccountParams> };

export function keyRoutes(app: FastifyInstance, ctx: OperatorContext, onKeyRevoked: (key: string) => void): void {
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
