/**
 * What an account can see and do about its deliveries: logs, sending again, a test; and what happens when its key goes.
 */
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../server/src/accounts/keys.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { dropOldWebhookLogs } from '../../server/src/webhooks/retention.ts';
import { makeKey } from '../http/edge.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import {
  deliverDue,
  deliveryRows,
  realWorker,
  register,
  scriptedClient,
  startReceiver,
  TIMED_OUT,
} from '../support/deliveries.ts';
import type { SignedCaller } from '../support/signed-caller.ts';
import { create, createAndFund, wordsIn } from '../support/transactions.ts';

interface LogView {
  readonly id: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly event_id: string;
    readonly tries: number;
    readonly request: { readonly body: string; readonly headers: Readonly<Record<string, string>> };
  };
}

const DAY_MS = 86_400_000;
const { db } = await freshDatabase();
const app = await startApp({ db });
const { clock, ctx } = app;
const worker = realWorker(ctx);
const CREATED = ['transaction.created'];
const NOBODY = '01900000-0000-7000-8000-00000000dead';
const PAUSES_MS = [0, 1_000, 2_000, 4_000, 6_000, 10_000];

async function newCustomer() {
  const account = await app.newAccount({ balances: { USD: 1_000_000n } });
  const secrets = new Map([[account.key, account.secret]]);
  return { ...account, secrets, receiver: await startReceiver(secrets) };
}

async function logsOf(caller: SignedCaller, query = ''): Promise<LogView[]> {
  const answer = await caller.get(`/v1/logs/webhooks?per=100${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { object: LogView[] }).object;
}

describe('the log', () => {
  it('shows each attempt with what was sent and what was answered, and never the secret', async () => {
    const { caller, receiver, accountId, key, secret } = await newCustomer();
    const url = `${receiver.baseUrl}/hooks`;
    const webhookId = await register(caller, url, CREATED);
    receiver.answer((_, count) => ({ status: count === 1 ? 503 : 201, body: 'thanks' }));
    const { id } = await create(caller);
    await deliverDue(worker);
    clock.advance(1_000);
    await deliverDue(worker);
    const logs = await logsOf(caller);
    expect(logs.map(({ message }) => message)).toEqual([
      `Transaction(${id}) transaction.created delivered!`,
      `Transaction(${id}) transaction.created pending!`,
    ]);
    const [newest] = logs;
    expect(newest).toMatchObject({
      parent_id: webhookId,
      parent_type: 'Webhook',
      metadata: {
        params: { id: webhookId, url, events: CREATED },
        event: 'transaction.created',
        instance_id: id,
        instance_type: 'Transaction',
        attempt_id: newest?.id,
        tries: 2,
        request: { url, body: receiver.received[1]?.raw },
        response: { status: '201', body: 'thanks', error: null, headers: { 'x-receiver': 'test' } },
        app_id: accountId,
        api_key_id: key,
      },
    });
    expect(newest?.metadata.request.headers).toMatchObject({
      'Authorization-Key': key,
      'Authorization-Signature': receiver.received[1]?.headers['authorization-signature'],
    });
    expect(JSON.stringify(logs)).not.toContain(secret);
    expect((await caller.get(`/v1/logs/${newest?.id}`)).body).toEqual({ object: newest });
    const stranger = await newCustomer();
    expect((await stranger.caller.get(`/v1/logs/${newest?.id}`)).status).toBe(404);
  });

  it('says why there was no answer, can be confined to days, and goes with its retention', async () => {
    const { caller } = await newCustomer();
    await register(caller, 'http://127.0.0.1:9/none', CREATED);
    await create(caller);
    await deliverDue(new Deliveries(ctx, { httpClient: scriptedClient(() => TIMED_OUT) }));
    const day = clock.now().toISOString().slice(0, 10);
    const [log] = await logsOf(caller, `&created_at_from=${day}&created_at_to=${day}`);
    expect(log?.metadata['response']).toEqual({ status: '', headers: {}, body: '', error: 'timed out' });
    const dayBefore = new Date(clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    expect(await logsOf(caller, `&created_at_to=${dayBefore}`)).toEqual([]);
    clock.advance(30 * DAY_MS);
    await dropOldWebhookLogs(ctx);
    expect((await caller.get(`/v1/logs/${log?.id}`)).status).toBe(200);
    clock.advance(1);
    await dropOldWebhookLogs(ctx);
    expect((await caller.get(`/v1/logs/${log?.id}`)).status).toBe(404);
  });
});

describe('sending again', () => {
  it('sends an event that was dropped, with all its attempts, and the log goes on counting', async () => {
    const { caller, receiver, accountId } = await newCustomer();
    await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    receiver.answer(500);
    await create(caller);
    for (const pauseMs of PAUSES_MS) {
      clock.advance(pauseMs);
      await deliverDue(worker);
    }
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'dropped', tries: 6 }]);
    const eventId = (await logsOf(caller))[0]?.metadata.event_id;
    const again = await caller.post('/sandbox/webhooks/redeliver', { event_id: eventId });
    expect(again.body).toEqual({ object: { count: 1, has_more: false } });
    await deliverDue(worker);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'waiting', attempts: 1, tries: 7 }]);
    receiver.answer(200);
    clock.advance(1_000);
    await deliverDue(worker);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'delivered', attempts: 2, tries: 8 }]);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect((await logsOf(caller))[0]?.metadata.tries).toBe(8);
  });

  it('sends what was dropped in a time range, in order, also to another webhook', async () => {
    const { caller, receiver, accountId } = await newCustomer();
    const bad = await register(caller, `${receiver.baseUrl}/bad`, ['transaction.created', 'transaction.paid_in']);
    receiver.answer(({ path }) => (path === '/bad' ? 500 : 200));
    const from = clock.now().toISOString();
    await createAndFund(caller);
    for (const pauseMs of [...PAUSES_MS, ...PAUSES_MS]) {
      clock.advance(pauseMs);
      await deliverDue(worker);
    }
    expect((await deliveryRows(db, accountId)).map(({ state }) => state)).toEqual(['dropped', 'dropped']);
    await caller.delete(`/v1/webhooks/${bad}`);
    const good = await register(caller, `${receiver.baseUrl}/good`, CREATED);
    const range = { from, to: new Date(clock.now().getTime() + 1).toISOString() };
    const nowhere = await caller.post('/sandbox/webhooks/redeliver', range);
    expect(nowhere.body).toEqual({ object: { count: 0, has_more: false } });
    const again = await caller.post('/sandbox/webhooks/redeliver', { ...range, to_webhook_id: good });
    expect(again.body).toEqual({ object: { count: 2, has_more: false } });
    await deliverDue(worker);
    const came = receiver.received.filter(({ path }) => path === '/good').map(({ body }) => body.event);
    expect(came).toEqual(['transaction.created', 'transaction.paid_in']);
  });

  it('leaves alone what is on its way, and sends nothing to a webhook that was deleted', async () => {
    const { caller, receiver, accountId } = await newCustomer();
    const webhookId = await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    receiver.answer(500);
    await create(caller);
    await deliverDue(worker);
    const eventId = (await logsOf(caller))[0]?.metadata.event_id;
    const again = () => caller.post('/sandbox/webhooks/redeliver', { event_id: eventId });
    const onItsWay = await deliveryRows(db, accountId);
    expect((await again()).body).toMatchObject({ object: { count: 0 } });
    expect(await deliveryRows(db, accountId)).toEqual(onItsWay);
    receiver.answer(200);
    clock.advance(1_000);
    await deliverDue(worker);
    await caller.delete(`/v1/webhooks/${webhookId}`);
    expect((await again()).body).toMatchObject({ object: { count: 0 } });
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'delivered' }]);
  });

  it.each([
    ['an unknown event', { event_id: NOBODY }, ['event_id: not_found']],
    [
      'a range that ends before it begins',
      { from: '2026-11-16T00:00:00Z', to: '2026-11-15T00:00:00Z' },
      ['to: invalid'],
    ],
    ['a beginning that is no day', { from: '2026-13-01T00:00:00Z', to: '2026-11-15T00:00:00Z' }, ['from: invalid']],
    ['an unknown webhook for one event', { event_id: NOBODY, webhook_id: NOBODY }, ['webhook_id: not_found']],
    [
      'an unknown webhook in place of another one',
      { from: '2026-11-15T00:00:00Z', to: '2026-11-16T00:00:00Z', to_webhook_id: NOBODY },
      ['to_webhook_id: not_found'],
    ],
  ])('refuses %s', async (_, body, words) => {
    const { caller } = await newCustomer();
    expect(wordsIn(await caller.post('/sandbox/webhooks/redeliver', body))).toEqual(words);
  });
});

it('a test is one signed request that nobody could take for an event', async () => {
  const { caller, receiver, accountId } = await newCustomer();
  const id = await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
  const test = await caller.post(`/sandbox/webhooks/${id}/test`);
  expect(test.body).toMatchObject({ object: { delivered: true, status: 200, says: 'answered 200' } });
  expect(receiver.received).toMatchObject([
    { isSigned: true, body: { webhook: id, event: 'webhook.test', object: { test: true } } },
  ]);
  expect(await deliveryRows(db, accountId)).toEqual([]);
  expect(await logsOf(caller)).toEqual([]);
  receiver.answer(500);
  expect((await caller.post(`/sandbox/webhooks/${id}/test`)).body).toMatchObject({ object: { delivered: false } });
});

describe('when the key that registered a webhook goes', () => {
  it('its webhooks are signed with the newest good key, and not at all when there is none', async () => {
    const { caller, receiver, accountId, key, secrets } = await newCustomer();
    await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    const newer = await makeKey(db, accountId);
    secrets.set(newer.key, newer.secret);
    await create(caller);
    await deliverDue(worker);
    await create(caller);
    await create(caller);
    await db.inTx((tx) => revokeKey(tx, key, clock.now()));
    await deliverDue(worker);
    await receiver.until(3);
    expect(receiver.received.map((one) => one.key)).toEqual([key, newer.key, newer.key]);
    expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it('and no other is good, nothing is sent, and the delivery waits for its next attempt', async () => {
    const { caller, receiver, accountId, key } = await newCustomer();
    await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
    await create(caller);
    await db.inTx((tx) => revokeKey(tx, key, clock.now()));
    await deliverDue(worker);
    expect(receiver.received).toEqual([]);
    expect(await deliveryRows(db, accountId)).toMatchObject([
      { state: 'waiting', attempts: 1, state_reason: 'the account has no key by which it could be signed' },
    ]);
  });
});

it('an answer of any kind is kept within bounds', async () => {
  const { caller } = await newCustomer();
  await register(caller, 'http://127.0.0.1:9/long', CREATED);
  await create(caller);
  const answer = { body: `a\u0000b${'x'.repeat(100_000)}`, headers: { a: 'b'.repeat(9_000) } };
  const httpClient = scriptedClient(() => ({ kind: 'answered', status: 200, ...answer, tookMs: 1 }));
  await deliverDue(new Deliveries(ctx, { httpClient }));
  const [log] = await logsOf(caller);
  const response = Object(log?.metadata['response']);
  expect(response.body).toHaveLength(4_096);
  expect(response.headers.a).toHaveLength(500);
});
