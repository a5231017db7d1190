/**
 * A test of a webhook: one signed request, at once, whose outcome is told to whoever asked. It is not an event of the
 * interface: its name is `webhook.test` and its object says that nothing happened. Nothing is stored, tried again or
 * counted against the webhook. Open point OP-120.
 */
import { readSigningKeys } from '../accounts/signing-keys.ts';
import type { Context } from '../context.ts';
import { UNSIGNED } from './claim.ts';
import type { AttemptOutcome } from './delivery.ts';
import type { HttpSender } from './http-sender.ts';
import { isDelivered, reasonOf } from './schedule.ts';
import { signedHeaders } from './send.ts';
import type { Webhook, WebhookKey } from './webhook.ts';
import { readWebhooks } from './webhook-store.ts';

const TEST_EVENT = 'webhook.test';

interface TestResult {
  readonly isDelivered: boolean;
  /** For people. */
  readonly says: string;
  readonly status: number | null;
  readonly tookMs: number;
}

type TestContext = Pick<Context, 'db' | 'seal' | 'clock' | 'ids' | 'settings'>;

/** Undefined: there is no such webhook. One that is disabled can be tested too. */
export async function sendTest(
  ctx: TestContext,
  httpClient: Pick<HttpSender, 'send'>,
  key: WebhookKey,
): Promise<TestResult | undefined> {
  const now = ctx.clock.now();
  const found = await ctx.db.inTx(async (tx) => {
    const [webhook] = await readWebhooks(tx, [key]);
    return webhook && { webhook, keys: await readSigningKeys(tx, ctx.seal, [webhook], now) };
  });
  if (!found) return undefined;
  const { webhook, keys } = found;
  // What waits for it says the same (webhook deliveries).
  if (keys.broken.has(webhook.key)) return notSent(UNSIGNED);
  const signer = keys.signers.get(webhook.key);
  if (!signer) return notSent('the account has no key that is good');
  const body = testBody(ctx, webhook, now);
  const headers = signedHeaders({ url: webhook.url, body, signer, nonce: ctx.ids.next() });
  return resultOf(
    await httpClient.send({ url: webhook.url, headers, body, timeoutMs: ctx.settings.webhooks.timeoutMs }),
  );
}

function testBody(ctx: TestContext, { webhookId }: Webhook, now: Date): string {
  const message = 'A test of this webhook. Nothing happened, and there is nothing to read under this id.';
  const object = { id: ctx.ids.next(), test: true, message, created_at: now.toISOString() };
  return JSON.stringify({ webhook: webhookId, event: TEST_EVENT, object });
}

function notSent(says: string): TestResult {
  return { isDelivered: false, says, status: null, tookMs: 0 };
}

function resultOf(outcome: AttemptOutcome): TestResult {
  const status = outcome.kind === 'answered' ? outcome.status : null;
  return { isDelivered: isDelivered(outcome), says: reasonOf(outcome), status, tookMs: Math.round(outcome.tookMs) };
}
