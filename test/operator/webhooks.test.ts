/** `webhook list|deliveries|redeliver|test`, `listen` and `key replace`, through the operator listener and the CLI. */
import { describe, expect, it } from 'vitest';
import { openCredentials } from '../../server/src/accounts/credentials.ts';
import type { Context } from '../../server/src/context.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { claimDeliveries } from '../../server/src/webhooks/claim.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { insertEvents } from '../../server/src/webhooks/outbox.ts';
import { insertWebhooks } from '../../server/src/webhooks/webhook-store.ts';
import { answered, deliverDue, receiverOf, scriptedClient, startReceiver } from '../support/deliveries.ts';
import { runCli } from './run-cli.ts';
import { at, auditEntries, startOperatorService, TEST_START, textAt } from './support.ts';

const DAY_MS = 86_400_000;
const service = await startOperatorService();
const { call, db, ctx, moveClock } = service;
const ids = timeOrderedIds(() => ctx.clock.now().getTime());
const flags = ['--operator-url', service.url, '--operator-token', service.token];

async function newCustomer(url = 'http://127.0.0.1:9/hooks') {
  const made = (await call('POST', '/operator/accounts', { name: 'Acme' })).body;
  const accountId = textAt(made, 'account', 'id');
  const key = textAt(made, 'key', 'key');
  const webhookId = ids.next();
  const facts = { metadata: {}, key, createdAt: ctx.clock.now(), disabledAt: null, disabledReason: null };
  await db.inTx((tx) => insertWebhooks(tx, [{ accountId, webhookId, url, events: ['sender.approved'], ...facts }]));
  return { accountId, key, secret: textAt(made, 'secret'), webhookId };
}

async function happen(accountId: string): Promise<string> {
  // Ids of one millisecond have no order among them.
  moveClock(1);
  const [eventId, objectId] = [ids.next(), ids.next()];
  const object = JSON.stringify({ id: objectId, state: 'approved' });
  const about = { event: 'sender.approved', objectType: 'sender', objectId, sequence: 1, object } as const;
  const createdAt = ctx.clock.now();
  await db.inTx((tx) => insertEvents(tx, [{ accountId, eventId, ...about, descriptors: [], createdAt }]));
  return eventId;
}

function deliverWith(status: number): Promise<void> {
  const metrics = { batchObserver: () => () => undefined } as unknown as Context['metrics'];
  return deliverDue(new Deliveries({ ...ctx, metrics }, { httpClient: scriptedClient(() => answered(status)) }));
}

describe('deliveries', () => {
  it('are listed, and those that were dropped are sent again by time range, once for each command', async () => {
    const { accountId, webhookId } = await newCustomer();
    const path = `/operator/accounts/${accountId}`;
    const eventId = await happen(accountId);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await deliverWith(500);
      moveClock(20_000);
    }
    expect((await call('GET', `${path}/webhooks`)).body).toMatchObject({
      webhooks: [{ id: webhookId, state: 'enabled' }],
    });
    const dropped = {
      event_id: eventId,
      webhook_id: webhookId,
      state: 'dropped',
      state_reason: 'answered 500',
      tries: 6,
    };
    expect((await call('GET', `${path}/deliveries?state=dropped`)).body).toMatchObject({ deliveries: [dropped] });
    expect((await call('GET', `${path}/deliveries?state=waiting`)).body).toMatchObject({ deliveries: [] });
    const commandId = ctx.ids.next();
    const range = { from: TEST_START.toISOString(), to: new Date(ctx.clock.now()).toISOString() };
    const again = await call('POST', `${path}/redeliveries`, range, { commandId });
    expect(again).toMatchObject({ status: 200, body: { count: 1, has_more: false } });
    // It begins anew: one more failure is not the end of it.
    await deliverWith(500);
    expect((await call('GET', `${path}/deliveries`)).body).toMatchObject({
      deliveries: [{ state: 'waiting', tries: 7 }],
    });
    moveClock(20_000);
    await deliverWith(200);
    expect((await call('GET', `${path}/deliveries`)).body).toMatchObject({
      deliveries: [{ state: 'delivered', tries: 8 }],
    });
    expect((await call('POST', `${path}/redeliveries`, range, { commandId })).body).toEqual(again.body);
    expect((await call('GET', `${path}/deliveries`)).body).toMatchObject({ deliveries: [{ state: 'delivered' }] });
    const [entry] = await auditEntries(service, `&subject=${accountId}&action=webhook.redeliver`);
    expect(entry).toMatchObject({ after: { ...range, count: '1' } });
  });

  it('are all on one of the pages, also those of one event to several webhooks', async () => {
    const { accountId, key } = await newCustomer();
    const facts = { metadata: {}, key, createdAt: ctx.clock.now(), disabledAt: null, disabledReason: null };
    const more = [ids.next(), ids.next()].map((webhookId) => ({ accountId, webhookId, events: ['sender.approved'] }));
    await db.inTx((tx) =>
      insertWebhooks(
        tx,
        more.map((each) => ({ ...each, ...facts, url: 'http://127.0.0.1:9/more' })),
      ),
    );
    for (let event = 0; event < 3; event += 1) await happen(accountId);
    const path = `/operator/accounts/${accountId}/deliveries`;
    const namesIn = (body: unknown) =>
      (body as { deliveries: object[] }).deliveries.map(
        (row) => `${textAt(row, 'event_id')} ${textAt(row, 'webhook_id')}`,
      );
    const all = namesIn((await call('GET', path)).body);
    expect(all).toHaveLength(9);
    const paged: string[] = [];
    for (let next = ''; paged.length < 20; ) {
      const { status, body } = await call('GET', `${path}?limit=2${next}`);
      expect(status).toBe(200);
      paged.push(...namesIn(body));
      const cursor = at(body, 'next');
      if (cursor === null) break;
      next = `&before=${String(cursor)}`;
    }
    expect(paged).toEqual(all);
    // An event by itself is a place to begin behind, too.
    const [newest = ''] = all;
    const behind = await call('GET', `${path}?before=${newest.slice(0, 36)}`);
    expect(namesIn(behind.body)).toEqual(all.slice(3));
  });

  it.each([
    ['event_not_found', { event_id: '01900000-0000-7000-8000-00000000dead' }, 404],
    ['invalid', { from: '2026-11-16T00:00:00Z', to: '2026-11-15T00:00:00Z' }, 422],
  ])('a request that names nothing is refused with %s', async (error, body, status) => {
    const { accountId } = await newCustomer();
    expect(await call('POST', `/operator/accounts/${accountId}/redeliveries`, body)).toMatchObject({
      status,
      body: { error },
    });
  });
});

it('a test of a webhook whose key does not open says so', async () => {
  const { accountId, key, webhookId } = await newCustomer();
  await db.execute(`update api_keys set secret = '\\x00' where key = $1::text`, [key]);
  const answer = await call('POST', `/operator/accounts/${accountId}/webhooks/${webhookId}/test`);
  expect(answer).toMatchObject({
    status: 200,
    body: { delivered: false, says: 'the secret of its key cannot be opened', status: null },
  });
});

describe('the command line', () => {
  it('lists, tests and sends again', async () => {
    const receiver = await startReceiver();
    const { accountId, webhookId } = await newCustomer(`${receiver.baseUrl}/hooks`);
    const eventId = await happen(accountId);
    await deliverWith(200);
    const list = await runCli(['webhook', 'list', accountId, ...flags]);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toContain(webhookId);
    const test = await runCli(['webhook', 'test', accountId, webhookId, ...flags]);
    expect(test).toMatchObject({ code: 0, stdout: expect.stringContaining('delivered: answered 200') });
    expect(receiver.received).toMatchObject([{ body: { event: 'webhook.test' } }]);
    const again = await runCli(['webhook', 'redeliver', accountId, '--event', eventId, ...flags]);
    expect(again).toMatchObject({ code: 0, stdout: '1 on their way again\n' });
    const waiting = await runCli(['webhook', 'deliveries', accountId, '--state', 'waiting', ...flags]);
    expect(waiting.stdout).toContain(eventId);
    const twice = await runCli(['webhook', 'redeliver', accountId, '--event', eventId, ...flags]);
    expect(twice.stdout).toMatch(
      /^0 on their way again; what still waits is tried by itself.*a disabled webhook gets nothing/,
    );
  });

  it.each([
    ['--to-webhook', 'the-new-one'],
    ['--from', '2026-11-15T09:00:00Z'],
  ])('does not send one event to every webhook when %s comes with it', async (flag, value) => {
    const { accountId } = await newCustomer('https://receiver.example/hooks');
    const eventId = await happen(accountId);
    await deliverWith(200);
    const refused = await runCli(['webhook', 'redeliver', accountId, '--event', eventId, flag, value, ...flags]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${flag} is for a time range`),
    });
  });

  it('prints events as they happen and forwards them, signed for the forward address', async () => {
    const { accountId, key, secret } = await newCustomer();
    const receiver = await receiverOf({ key, secret });
    const before = await happen(accountId);
    const heard = [await happen(accountId), await happen(accountId)];
    const forwardTo = `${receiver.baseUrl}/dev?x=1`;
    const args = ['--account', accountId, '--after', before, '--count', '2', '--forward-to', forwardTo];
    const run = await runCli(['listen', ...args, ...flags]);
    expect(run).toMatchObject({ code: 0, stderr: `Listening; events go on to ${forwardTo}\n` });
    expect(run.stdout.trim().split('\n')).toMatchObject([/sender.approved .* answered 200$/, /sender.approved/]);
    expect(receiver.received).toHaveLength(heard.length);
    expect(
      receiver.received.every(
        ({ isSigned, body }) => isSigned && body.webhook === '00000000-0000-0000-0000-000000000000',
      ),
    ).toBe(true);
  });

  it('says of each event that did not arrive why, beside JSON for programs too', async () => {
    const { accountId } = await newCustomer();
    const before = await happen(accountId);
    await happen(accountId);
    const args = ['--account', accountId, '--after', before, '--count', '1', '--forward-to', 'http://127.0.0.1:9/dev'];
    const why =
      /sender\.approved .* nothing listens at http:\/\/127\.0\.0\.1:9, so nothing was sent: is it running\?\n$/;
    expect((await runCli(['listen', ...args, ...flags])).stdout).toMatch(why);
    const run = await runCli(['listen', ...args, ...flags, '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ event: 'sender.approved' });
    expect(run.stderr).toMatch(why);
  });

  it.each(['0', '-3', '1.5', 'x', ''])('refuses to end after %j events', async (count) => {
    const run = await runCli(['listen', '--count', count, ...flags]);
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr: `payferry: --count: ${count} is not a whole number from 1 on\n`,
    });
  });
});

it('nothing can be listened to in live mode', async () => {
  const live = await startOperatorService({ mode: 'live' });
  const made = (await live.call('POST', '/operator/accounts', { name: 'Acme' })).body;
  const path = `/operator/accounts/${textAt(made, 'account', 'id')}/events`;
  expect(await live.call('GET', path)).toMatchObject({ status: 404, body: { error: 'sandbox_only' } });
  const access = ['--operator-url', live.url, '--operator-token', live.token];
  expect(await runCli(['listen', ...access])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'payferry: sandbox_only: this exists in sandbox mode only\n',
  });
});

/** The key by which what is due for the account would be signed now. */
async function signerOf(accountId: string): Promise<string | undefined> {
  const { chains } = await claimDeliveries(ctx, { after: null, without: [], freeFor: () => 100 });
  return chains.flat().find((delivery) => delivery.accountId === accountId)?.signer?.key;
}

it('a webhook whose key was revoked is signed by the newest good key of its account, and by no revoked one', async () => {
  const { accountId, key } = await newCustomer();
  const makeKey = async () => {
    moveClock(1);
    return textAt((await call('POST', `/operator/accounts/${accountId}/keys`, {})).body, 'key', 'key');
  };
  const [older, newest] = [await makeKey(), await makeKey()];
  for (const [revoked, signer] of [
    [key, newest],
    [newest, older],
    [older, undefined],
  ]) {
    await call('DELETE', `/operator/keys/${revoked}`);
    await happen(accountId);
    expect(await signerOf(accountId)).toBe(signer);
  }
});

describe('a key that is replaced', () => {
  it('works and signs until the overlap is over; then its successor does', async () => {
    const { accountId, key } = await newCustomer();
    const credentials = openCredentials({ db, seal: ctx.seal, clock: ctx.clock, nowMs: () => 0 });
    const replaced = await call('POST', `/operator/keys/${key}/replacement`, { overlap: '2d' });
    expect(replaced.status).toBe(201);
    const successor = textAt(replaced.body, 'key', 'key');
    expect(at(replaced.body, 'replaced')).toMatchObject({ key, successor });
    moveClock(2 * DAY_MS - 2);
    await happen(accountId);
    expect(await signerOf(accountId)).toBe(key);
    expect(await credentials.find(key)).toMatchObject({ accountId });
    // One millisecond on: the very moment at which the overlap is over.
    await happen(accountId);
    expect(await credentials.find(key)).toEqual({ key, accountId, why: 'expired' });
    expect(await credentials.find(successor)).toMatchObject({ accountId });
    expect(await signerOf(accountId)).toBe(successor);
    expect((await call('POST', `/operator/keys/${key}/replacement`, {})).body).toMatchObject({
      error: 'already_replaced',
    });
  });

  it('is replaced once under one command id, and its secret is shown once', async () => {
    const { key } = await newCustomer();
    const commandId = ctx.ids.next();
    const replace = () => call('POST', `/operator/keys/${key}/replacement`, {}, { commandId });
    const [first, second] = [await replace(), await replace()];
    expect(textAt(first.body, 'secret')).toMatch(/^[0-9a-f]{64}$/);
    expect(at(second.body, 'key')).toEqual(at(first.body, 'key'));
    expect(at(second.body, 'secret')).toBeNull();
    const [entry] = await auditEntries(service, `&subject=${key}&action=key.replace`);
    expect(JSON.stringify(entry)).not.toContain(textAt(first.body, 'secret'));
  });

  it.each([
    ['pf_unknown', {}, 404, 'key_not_found'],
    ['pf_unknown', { overlap: '91d' }, 422, 'invalid'],
    ['pf_unknown', { overlap: 'long' }, 422, 'invalid'],
  ])('%s with %j is refused', async (key, body, status, error) => {
    expect(await call('POST', `/operator/keys/${key}/replacement`, body)).toMatchObject({ status, body: { error } });
  });
});
