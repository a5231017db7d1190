/**
 * The rules of delivery that end something, over real HTTP and with a clock of the test: a dead endpoint is disabled
 * and holds up nobody else, and what was lost is sent again, no more and no less. Spec: Events (delivery rules 3 and
 * 4).
 */
import { expect, it } from 'vitest';
import { dropUnwanted } from '../../server/src/webhooks/drop-unwanted.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, deliveryRows, realWorker, receiverOf, register, withTimeout } from '../support/deliveries.ts';
import { create } from '../support/transactions.ts';

const LIMIT = 3;
const TIMEOUT_MS = 300;
const CREATED = ['transaction.created'];
/** More than we have connections to one host. */
const MOST_WEBHOOKS = 20;
const PAUSES_MS = [0, 1_000, 2_000, 4_000, 6_000, 10_000];
const { db } = await freshDatabase();
const app = await startApp({ db, flags: { webhooksDisableAfterTimeouts: String(LIMIT) } });
const { clock } = app;
const worker = realWorker(app.ctx);
const impatient = realWorker(withTimeout(app.ctx, TIMEOUT_MS));

async function newCustomer() {
  const account = await app.newAccount();
  return { ...account, receiver: await receiverOf(account) };
}

/** Lets all pauses pass, so that whatever fails is dropped. */
async function deliverToTheEnd(): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    clock.advance(pauseMs);
    await deliverDue(worker);
  }
}

it('an endpoint that never answers is disabled, while everybody else gets everything at once', async () => {
  const [dead, neighbour] = [await newCustomer(), await newCustomer()];
  dead.receiver.answer(({ path }) => (path === '/dead' ? 'hang' : 200));
  const id = await register(dead.caller, `${dead.receiver.baseUrl}/dead`, CREATED);
  await register(dead.caller, `${dead.receiver.baseUrl}/alive`, CREATED);
  await register(neighbour.caller, `${neighbour.receiver.baseUrl}/hooks`, CREATED);
  for (let made = 0; made < 2; made += 1) await Promise.all([create(dead.caller), create(neighbour.caller)]);
  const came = (path: string) => dead.receiver.received.filter((one) => one.path === path);
  // A busy machine may be late with an answer, and then an event comes twice: different ones are counted.
  const heard = ({ receiver }: typeof dead, path: string) =>
    new Set(receiver.received.filter((one) => one.path === path).map(({ raw }) => raw)).size;
  await deliverDue(impatient);
  // Each object is tried once, and nobody waited for it.
  expect([came('/dead').length, heard(dead, '/alive'), heard(neighbour, '/hooks')]).toEqual([2, 2, 2]);
  expect((await dead.caller.get(`/v1/webhooks/${id}`)).body).toMatchObject({ object: { state: 'enabled' } });
  clock.advance(1_000);
  await deliverDue(impatient);
  const shown = Object((await dead.caller.get(`/v1/webhooks/${id}`)).body).object;
  expect(shown).toMatchObject({
    state: 'disabled',
    state_reason: expect.stringMatching(/attempts in a row timed out$/),
  });
  const tried = came('/dead').length;
  expect(tried).toBeGreaterThanOrEqual(LIMIT);
  await dropUnwanted(app.ctx);
  await create(dead.caller);
  clock.advance(60_000);
  await deliverDue(impatient);
  expect([came('/dead').length, heard(dead, '/alive')]).toEqual([tried, 3]);
  const states = (await deliveryRows(db, dead.accountId))
    .filter((row) => row.webhook_id === id)
    .map((row) => row.state);
  expect(states).toEqual(['dropped', 'dropped']);
  // It is not enabled again: a new webhook takes its place, and what was dropped goes there.
  const renewed = await register(dead.caller, `${dead.receiver.baseUrl}/renewed`, CREATED);
  const again = (to: string) =>
    dead.caller.post('/sandbox/webhooks/redeliver', {
      from: '2026-11-15T00:00:00Z',
      to: clock.now().toISOString(),
      to_webhook_id: to,
    });
  expect((await again(id)).status).toBe(422);
  expect((await again(renewed)).body).toEqual({ object: { count: 2, has_more: false } });
  await deliverDue(worker);
  expect(heard(dead, '/renewed')).toBe(2);
});

it('what failed in a time range is sent again; what arrived, or happened outside of it, is not', async () => {
  const { caller, receiver, accountId } = await newCustomer();
  await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
  const ids: string[] = [];
  const happen = async (answer: number) => {
    clock.advance(60_000);
    receiver.answer(answer);
    const at = clock.now();
    ids.push((await create(caller)).id);
    await deliverToTheEnd();
    return at.toISOString();
  };
  await happen(500);
  const from = await happen(500);
  await happen(200);
  await happen(500);
  const to = await happen(500);
  const states = async () => (await deliveryRows(db, accountId)).map(({ state }) => state);
  expect(await states()).toEqual(['dropped', 'dropped', 'delivered', 'dropped', 'dropped']);
  receiver.answer(200);
  receiver.received.length = 0;
  const again = await caller.post('/sandbox/webhooks/redeliver', { from, to });
  expect(again.body).toEqual({ object: { count: 2, has_more: false } });
  await deliverDue(worker);
  expect(receiver.received.map(({ body }) => body.object['id']).toSorted()).toEqual([ids[1], ids[3]].toSorted());
  expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
  expect(await states()).toEqual(['dropped', 'delivered', 'delivered', 'delivered', 'dropped']);
  // Done once, nothing is left to do.
  expect((await caller.post('/sandbox/webhooks/redeliver', { from, to })).body).toMatchObject({ object: { count: 0 } });
});

it('one event that had arrived is sent again on demand, the same bytes under another nonce', async () => {
  const { caller, receiver } = await newCustomer();
  await register(caller, `${receiver.baseUrl}/hooks`, CREATED);
  await create(caller);
  await deliverDue(worker);
  const [log] = Object((await caller.get('/v1/logs/webhooks')).body).object;
  const again = await caller.post('/sandbox/webhooks/redeliver', { event_id: log.metadata.event_id });
  expect(again.body).toEqual({ object: { count: 1, has_more: false } });
  await deliverDue(worker);
  const [first, second] = receiver.received;
  expect(receiver.received).toHaveLength(2);
  expect(second).toMatchObject({ raw: first?.raw, isSigned: true });
  expect(second?.nonce).not.toBe(first?.nonce);
});

it('a host that is slow, but within its time, has no time-out to its name, however many webhooks wait for it', async () => {
  const slow = await newCustomer();
  const limitMs = 3_000;
  slow.receiver.answer({ status: 200, afterMs: limitMs * 0.6 });
  for (let place = 0; place < MOST_WEBHOOKS; place += 1) {
    await register(slow.caller, `${slow.receiver.baseUrl}/hooks/${place}`, CREATED);
  }
  await create(slow.caller);
  await deliverDue(realWorker(withTimeout(app.ctx, limitMs)));
  const rows = await deliveryRows(db, slow.accountId);
  expect(rows.map(({ state, tries }) => [state, tries])).toEqual(Array(MOST_WEBHOOKS).fill(['delivered', 1]));
  expect(slow.receiver.mostAtOnce()).toBeLessThan(MOST_WEBHOOKS);
});
