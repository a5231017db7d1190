/** Events as they happen, by long polling: for `payferry listen`, in sandbox mode only. Open point OP-121. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { accountById } from '../../accounts/find.ts';
import { listKeys } from '../../accounts/keys.ts';
import { done, type Outcome, refusedAction } from '../../accounts/operator-refusals.ts';
import { checkWebhookUrl } from '../../webhooks/address-policy.ts';
import { type HeardEvent, hearEvents, idBefore } from '../../webhooks/listen.ts';
import type { OperatorContext } from '../command.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams } from '../schemas.ts';
import { EventsQuery } from '../webhook-schemas.ts';

type Account = { Params: Type.Static<typeof AccountParams> };
type Query = Type.Static<typeof EventsQuery>;

/** Events commit in another order than that in which they got their ids; a listener looks back this far, and skips. */
const LOOK_BACK_MS = 5_000;

export function eventRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get<Account & { Querystring: Query }>(
    '/operator/accounts/:account_id/events',
    { schema: { params: AccountParams, querystring: EventsQuery } },
    async ({ params, query }, reply) => {
      const prepared = await prepare(ctx, params.account_id, query);
      if (!prepared.ok) return sendOutcome(reply, prepared, () => ({}));
      const after = query.after ?? idBefore(ctx.clock.now());
      const heard = await hearEvents(ctx, {
        accountId: params.account_id.toLowerCase(),
        after,
        waitMs: Number(query.wait_ms ?? 0),
        forwardTo: query.forward_to ?? null,
        key: prepared.value,
        isOver: () => isClosing,
      });
      const lookBack = idBefore(new Date(ctx.clock.now().getTime() - LOOK_BACK_MS));
      return { events: heard.map(heardView), after, look_back: lookBack };
    },
  );
}

/** The key that signs. Refuses with sandbox_only, account_not_found, key_not_found, invalid. */
async function prepare(ctx: OperatorContext, accountId: string, query: Query): Promise<Outcome<string>> {
  if (ctx.settings.mode !== 'sandbox') return refusedAction('sandbox_only');
  const fault = query.forward_to === undefined ? undefined : checkWebhookUrl(query.forward_to, 'sandbox');
  if (fault) return refusedAction('invalid', `forward_to: ${fault.says}`);
  return ctx.db.inTx(async (tx) => {
    const account = await accountById(tx, accountId);
    if (!account.ok) return account;
    const keys = await listKeys(tx, account.value.accountId);
    // The first key that the account was given is the one that its developers most likely have.
    const chosen = query.key === undefined ? keys.at(-1) : keys.find(({ key }) => key === query.key);
    return chosen ? done(chosen.key) : refusedAction('key_not_found');
  });
}

function heardView({ event, body, headers }: HeardEvent) {
  return {
    id: event.eventId,
    event: event.event,
    object_type: event.objectType,
    object_id: event.objectId,
    created_at: event.createdAt.toISOString(),
    body,
    headers,
  };
}
