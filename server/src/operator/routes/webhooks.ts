/** Webhooks: list them and their deliveries, send again, test. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { accountById } from '../../accounts/find.ts';
import { done, refusedAction } from '../../accounts/operator-refusals.ts';
import { type DeliveryPlace, deliveriesOf, type ListedDelivery, webhooksOf } from '../../webhooks/delivery-list.ts';
import { RedeliveryBody, readRedelivery } from '../../webhooks/redelivery-body.ts';
import { sendTest } from '../../webhooks/send-test.ts';
import { viewWebhook } from '../../webhooks/view.ts';
import { commandOf } from '../authenticate.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, DEFAULT_PAGE } from '../schemas.ts';
import type { OperatorServerOptions } from '../server-options.ts';
import { timeView } from '../time-view.ts';
import { DeliveriesQuery, WebhookParams } from '../webhook-schemas.ts';
import { redeliverEvents } from '../webhooks.ts';

type Account = { Params: Type.Static<typeof AccountParams> };

export function webhookRoutes(app: FastifyInstance, options: OperatorServerOptions): void {
  const { ctx } = options;
  const known = (accountId: string) => ctx.db.inTx((tx) => accountById(tx, accountId));

  app.get<Account>(
    '/operator/accounts/:account_id/webhooks',
    { schema: { params: AccountParams } },
    async ({ params }, reply) => {
      const account = await known(params.account_id);
      const outcome = account.ok ? done(await webhooksOf(ctx, account.value.accountId)) : account;
      return sendOutcome(reply, outcome, (webhooks) => ({ webhooks: webhooks.map(viewWebhook) }));
    },
  );

  app.get<Account & { Querystring: Type.Static<typeof DeliveriesQuery> }>(
    '/operator/accounts/:account_id/deliveries',
    { schema: { params: AccountParams, querystring: DeliveriesQuery } },
    async ({ params, query }, reply) => {
      const account = await known(params.account_id);
      if (!account.ok) return sendOutcome(reply, account, () => ({}));
      const limit = Number(query.limit ?? DEFAULT_PAGE);
      const deliveries = await deliveriesOf(ctx, {
        accountId: account.value.accountId,
        webhookId: query.webhook_id ?? null,
        state: query.state ?? null,
        before: placeOf(query.before),
        limit,
      });
      return { deliveries: deliveries.map(deliveryView), next: nextOf(deliveries, limit) };
    },
  );

  app.post<Account & { Body: RedeliveryBody }>(
    '/operator/accounts/:account_id/redeliveries',
    { schema: { params: AccountParams, body: RedeliveryBody } },
    async (request, reply) => {
      const wish = readRedelivery(request.body);
      const accountId = request.params.account_id.toLowerCase();
      const outcome = wish.ok
        ? await redeliverEvents(ctx, commandOf(ctx, request), { accountId, wish: wish.value })
        : refusedAction('invalid', 'from and to: are not a time range');
      if (outcome.ok) ctx.wake.wake('deliveries');
      return sendOutcome(reply, outcome, ({ count, hasMore }) => ({ count, has_more: hasMore }));
    },
  );

  addTest(app, options);
}

function addTest(app: FastifyInstance, { ctx, httpClient }: OperatorServerOptions): void {
  app.post<{ Params: Type.Static<typeof WebhookParams> }>(
    '/operator/accounts/:account_id/webhooks/:webhook_id/test',
    { schema: { params: WebhookParams } },
    async ({ params }, reply) => {
      const key = { accountId: params.account_id.toLowerCase(), webhookId: params.webhook_id.toLowerCase() };
      const result = await sendTest(ctx, httpClient, key);
      return sendOutcome(reply, result ? done(result) : refusedAction('webhook_not_found'), (test) => ({
        delivered: test.isDelivered,
        says: test.says,
        status: test.status,
        took_ms: test.tookMs,
      }));
    },
  );
}

/** As `next` has it, or an event alone. */
function placeOf(text: string | undefined): DeliveryPlace | null {
  if (text === undefined) return null;
  const [eventId = '', webhookId = null] = text.split('_');
  return { eventId, webhookId };
}

function nextOf(page: readonly ListedDelivery[], limit: number): string | null {
  const last = page.at(-1);
  return last !== undefined && page.length === limit ? `${last.eventId}_${last.webhookId}` : null;
}

function deliveryView(delivery: ListedDelivery) {
  return {
    event_id: delivery.eventId,
    event: delivery.event,
    object_id: delivery.objectId,
    webhook_id: delivery.webhookId,
    state: delivery.state,
    state_reason: delivery.stateReason,
    tries: delivery.tries,
    event_at: delivery.eventAt.toISOString(),
    next_attempt_at: timeView(delivery.nextAttemptAt),
    finished_at: timeView(delivery.finishedAt),
  };
}
