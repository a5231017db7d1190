/** Deliveries as tests look at them: the worker driven turn by turn, a client that follows a script, and the rows. */
import { afterAll } from 'vitest';
import type { Context } from '../../server/src/context.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { Deliveries, type DeliveryParts } from '../../server/src/webhooks/deliver.ts';
import type { HttpSender, OutgoingRequest, SendOutcome } from '../../server/src/webhooks/http-sender.ts';
import { UndiciSender } from '../../server/src/webhooks/undici-sender.ts';
import type { TestAccount } from './app.ts';
import { idIn, register } from './register.ts';
import { openReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export { idIn, register };

interface DeliveryRow {
  readonly event: string;
  readonly webhook_id: string;
  readonly object_id: string;
  readonly state: string;
  readonly state_reason: string | null;
  readonly attempts: number;
  readonly tries: number;
  readonly next_attempt_at: Date | null;
}

/** In the order of their events. */
export function deliveryRows(db: Database, accountId: string): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    `select e.event, d.webhook_id, d.object_id, d.state, d.state_reason, d.attempts, d.tries, d.next_attempt_at
     from webhook_deliveries d join events e on e.account_id = d.account_id and e.event_id = d.event_id
     where d.account_id = $1::uuid
     order by d.event_at, d.object_id, d.sequence, d.webhook_id`,
    [accountId],
  );
}

/** A worker over real HTTP. Settled when the test file ends. */
export function realWorker(ctx: Context, parts: Partial<DeliveryParts> = {}): Deliveries {
  const httpClient = new UndiciSender({ mode: 'sandbox' });
  const deliveries = new Deliveries(ctx, { httpClient, chance: () => 0, ...parts });
  afterAll(async () => {
    await deliveries.settle();
    await httpClient.close();
  });
  return deliveries;
}

/** The same world, in which an attempt may take so long. */
export function withTimeout<Ctx extends Context>(ctx: Ctx, timeoutMs: number): Ctx {
  return { ...ctx, settings: { ...ctx.settings, webhooks: { ...ctx.settings.webhooks, timeoutMs } } };
}

/** Does everything that is due at this moment, and what follows from it at this moment. */
export async function deliverDue(deliveries: Deliveries): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) {
    const hasMore = await deliveries.turn();
    await deliveries.idle();
    if (!hasMore) return;
  }
  throw new Error('there was always more to deliver');
}

interface ScriptedClient extends HttpSender {
  readonly sent: OutgoingRequest[];
}

/** Answers what the script says for each request; 200 when it says nothing. */
export function scriptedClient(
  script: (request: OutgoingRequest, count: number) => SendOutcome | Promise<SendOutcome> | undefined = () => undefined,
): ScriptedClient {
  const sent: OutgoingRequest[] = [];
  return {
    sent,
    send: async (request) => {
      sent.push(request);
      return (await script(request, sent.length)) ?? answered(200);
    },
    close: async () => undefined,
  };
}

export function answered(status: number): SendOutcome {
  return { kind: 'answered', status, headers: {}, body: '', tookMs: 1 };
}

export const TIMED_OUT: SendOutcome = { kind: 'timed_out', tookMs: 10_000 };

/** A receiver that knows these secrets, by key. Closed when the test file ends. */
export async function startReceiver(secrets: ReadonlyMap<string, string> = new Map()): Promise<WebhookReceiver> {
  const receiver = await openReceiver(secrets);
  afterAll(() => receiver.close());
  return receiver;
}

/** The receiver of a customer, whose secret it knows. */
export function receiverOf({ key, secret }: { readonly key: string; readonly secret: string }) {
  return startReceiver(new Map([[key, secret]]));
}

/** The same, registered for these events. */
export async function registeredReceiver(account: TestAccount, events: readonly string[]) {
  const receiver = await receiverOf(account);
  const url = `${receiver.baseUrl}/hooks`;
  return { receiver, url, webhookId: await register(account.caller, url, events) };
}
