/**
 * What holds for every endpoint: a bound of its own, an end when it never answers, and a delivery that survives a
 * crash.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { claimDeliveries, leaseMs } from '../../server/src/webhooks/claim.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import type { Attempt } from '../../server/src/webhooks/delivery.ts';
import { dropUnwanted } from '../../server/src/webhooks/drop-unwanted.ts';
import { recordAttempts } from '../../server/src/webhooks/record.ts';
import { scheduleOf } from '../../server/src/webhooks/schedule.ts';
import { sendFirst } from '../../server/src/webhooks/send.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { answered, deliverDue, deliveryRows, register, scriptedClient, TIMED_OUT } from '../support/deliveries.ts';
import { create, createAndFund } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db, flags: { webhooksDisableAfterTimeouts: '8' } });
const { clock, ctx } = app;
const LIMIT = 8;
const CREATED = ['transaction.created'];
const GOOD = 'http://127.0.0.1:9/good';
const DEAD = 'http://127.0.0.1:9/dead';
/** Longer than an attempt takes to be recorded. */
const SOME_MS = 200;

/** What one test leaves waiting is not for the next one to send. */
afterEach(() => db.execute('delete from webhook_deliveries'));

async function newCustomer() {
  return app.newAccount({ balances: { USD: 1_000_000n } });
}

type Caller = Awaited<ReturnType<typeof newCustomer>>['caller'];

async function createMany(caller: Caller, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await create(caller, { amount: 1 });
}

function worker(script?: Parameters<typeof scriptedClient>[0]) {
  const httpClient = scriptedClient(script);
  return { httpClient, deliveries: new Deliveries(ctx, { httpClient, chance: () => 0 }) };
}

/** Attempts at two deliveries of a new webhook that have ended, one after the other, and are not recorded yet. */
async function twoAttempts(...outcomes: (typeof TIMED_OUT)[]): Promise<{ id: string; ended: Attempt[] }> {
  const { caller } = await newCustomer();
  const id = await register(caller, DEAD, CREATED);
  for (let made = 0; made < 2; made += 1) await create(caller);
  const { chains } = await claimDeliveries(ctx, { after: null, without: [], freeFor: () => 2 });
  const httpClient = scriptedClient(() => outcomes.shift());
  const ended: Attempt[] = [];
  for (const chain of chains) {
    clock.advance(1);
    ended.push(
      await sendFirst(ctx, { httpClient, schedule: scheduleOf(ctx.settings.webhooks), chance: () => 0 }, chain),
    );
  }
  return { id, ended };
}

const countedOf = (webhookId: string) =>
  db.query('select timeouts_in_row from webhooks where webhook_id = $1::uuid', [webhookId]);

describe('an endpoint that never answers', () => {
  it('is disabled after so many time-outs in a row, which the log has once, and the account sees why', async () => {
    const { caller, accountId } = await newCustomer();
    const id = await register(caller, DEAD, CREATED);
    for (let made = 0; made < 4; made += 1) await create(caller);
    const { httpClient, deliveries } = worker(() => TIMED_OUT);
    const warned = vi.spyOn(ctx.log, 'warn');
    await deliverDue(deliveries);
    clock.advance(1_000);
    expect((await caller.get(`/v1/webhooks/${id}`)).body).toMatchObject({ object: { state: 'enabled' } });
    expect(warned).not.toHaveBeenCalled();
    await deliverDue(deliveries);
    const ids = { account_id: accountId, webhook_id: id };
    expect(warned.mock.calls).toEqual([[expect.stringContaining('a webhook was disabled for good'), ids]]);
    warned.mockRestore();
    expect(httpClient.sent).toHaveLength(LIMIT);
    expect((await caller.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      object: { state: 'disabled', state_reason: '8 attempts in a row timed out' },
    });
    await dropUnwanted(ctx);
    const rows = await deliveryRows(db, accountId);
    expect(rows).toMatchObject(Array(4).fill({ state: 'dropped', state_reason: 'the webhook was disabled' }));
    await create(caller);
    expect(await deliveryRows(db, accountId)).toHaveLength(4);
  });

  it('has its time-outs counted in the order in which attempts ended, however they are recorded', async () => {
    const { id, ended } = await twoAttempts(TIMED_OUT, answered(200));
    await recordAttempts(ctx, ended.toReversed());
    expect(await countedOf(id)).toEqual([{ timeouts_in_row: 0 }]);
  });

  it('has each time-out counted once, also where its record is repeated beside another', async () => {
    const { id, ended } = await twoAttempts(TIMED_OUT, TIMED_OUT);
    await recordAttempts(ctx, ended.slice(0, 1));
    await recordAttempts(ctx, ended);
    expect(await countedOf(id)).toEqual([{ timeouts_in_row: 2 }]);
  });

  it('is disabled once, also where a request that was under way then times out as well', async () => {
    const { id, ended } = await twoAttempts(TIMED_OUT, TIMED_OUT);
    await db.execute('update webhooks set timeouts_in_row = $1 where webhook_id = $2::uuid', [LIMIT - 1, id]);
    const warned = vi.spyOn(ctx.log, 'warn');
    for (const attempt of ended) expect(await recordAttempts(ctx, [attempt])).toMatchObject([{ isEnded: true }]);
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  it('begins its count anew with any answer', async () => {
    const { caller } = await newCustomer();
    const id = await register(caller, DEAD, CREATED);
    for (let made = 0; made < 12; made += 1) await create(caller);
    const { deliveries } = worker((_, count) => (count % LIMIT === 0 ? answered(500) : TIMED_OUT));
    for (const pauseMs of [0, 1_000, 2_000, 4_000]) {
      clock.advance(pauseMs);
      await deliverDue(deliveries);
    }
    expect((await caller.get(`/v1/webhooks/${id}`)).body).toMatchObject({ object: { state: 'enabled' } });
  });

  it('is not disabled by errors and broken connections, however many', async () => {
    const { caller } = await newCustomer();
    const id = await register(caller, DEAD, CREATED);
    for (let made = 0; made < 4; made += 1) await create(caller);
    const { httpClient, deliveries } = worker((_, count) =>
      count % 2 === 0 ? answered(503) : { kind: 'failed', why: 'connection refused', tookMs: 1 },
    );
    for (const pauseMs of [0, 1_000, 2_000, 4_000, 6_000, 10_000]) {
      clock.advance(pauseMs);
      await deliverDue(deliveries);
    }
    expect(httpClient.sent).toHaveLength(24);
    expect((await caller.get(`/v1/webhooks/${id}`)).body).toMatchObject({ object: { state: 'enabled' } });
  });

  it('delays nobody else, and holds one request at a time', async () => {
    const [dead, good] = [await newCustomer(), await newCustomer()];
    await register(dead.caller, DEAD, CREATED);
    await register(good.caller, GOOD, CREATED);
    for (let made = 0; made < 30; made += 1) await create(dead.caller, { amount: 1 });
    await create(good.caller);
    let release = () => {};
    const never = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hanging = 0;
    const { httpClient, deliveries } = worker(async ({ url }, count) => {
      if (url !== DEAD) return answered(200);
      if (count === 1) return TIMED_OUT;
      hanging += 1;
      await never;
      return TIMED_OUT;
    });
    await deliveries.turn();
    while (!httpClient.sent.some(({ url }) => url === GOOD)) await new Promise((resolve) => setImmediate(resolve));
    expect(await deliveryRows(db, good.accountId)).toBeDefined();
    expect(hanging).toBeLessThanOrEqual(ctx.settings.webhooks.perEndpoint);
    await create(good.caller);
    await deliveries.turn();
    while (httpClient.sent.filter(({ url }) => url === GOOD).length < 2)
      await new Promise((resolve) => setImmediate(resolve));
    release();
    await deliveries.idle();
    await deliveries.settle();
  });
});

describe('a webhook that is deleted while its events are being sent', () => {
  const TOLD = ['transaction.created', 'transaction.paid_in'];
  const MANY = 30;

  it.each([
    ['the next one about the same object', (caller: Caller) => createAndFund(caller), 1],
    // While the first of them is recorded, others go out.
    ['those about other objects', (caller: Caller) => createMany(caller, MANY), 2 * ctx.settings.webhooks.perEndpoint],
  ])('gets what is under way and no more: not %s', async (_, happen, atMost) => {
    const { caller, accountId } = await newCustomer();
    const id = await register(caller, GOOD, TOLD);
    await happen(caller);
    const { httpClient, deliveries } = worker(async (__, count) => {
      if (count === 1) expect((await caller.delete(`/v1/webhooks/${id}`)).status).toBe(200);
      else await sleep(SOME_MS);
      return answered(200);
    });
    await deliverDue(deliveries);
    expect(httpClient.sent.length).toBeLessThanOrEqual(atMost);
    await dropUnwanted(ctx);
    expect((await deliveryRows(db, accountId)).map(({ state }) => state)).not.toContain('waiting');
  });
});

describe('a delivery for which no connection of ours was free', () => {
  const NOT_SENT = { kind: 'not_sent', why: 'no connection to this host was free in time', tookMs: 1 } as const;
  const PAUSE_MS = 10_000;

  it('is put off as often as it takes, and none of its tries is used up', async () => {
    const { caller, accountId } = await newCustomer();
    await register(caller, GOOD, CREATED);
    await create(caller);
    let isFree = false;
    const { httpClient, deliveries } = worker(() => (isFree ? answered(200) : NOT_SENT));
    for (let times = 1; times <= 7; times += 1) {
      await deliverDue(deliveries);
      expect(httpClient.sent).toHaveLength(times);
      clock.advance(PAUSE_MS);
    }
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await db.query('select 1 from webhook_attempts where account_id = $1::uuid', [accountId])).toEqual([]);
    isFree = true;
    await deliverDue(deliveries);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it('does not begin the count of time-outs anew', async () => {
    const { caller } = await newCustomer();
    const id = await register(caller, DEAD, CREATED);
    for (let made = 0; made < LIMIT / 2; made += 1) await create(caller);
    const outcomes = [TIMED_OUT, NOT_SENT, TIMED_OUT];
    for (const outcome of outcomes) {
      await deliverDue(worker(() => outcome).deliveries);
      clock.advance(PAUSE_MS);
    }
    expect((await caller.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      object: { state: 'disabled', state_reason: '8 attempts in a row timed out' },
    });
  });
});

describe('a claim', () => {
  it('gives each endpoint its share, however much waits for another', async () => {
    const customers = [await newCustomer(), await newCustomer(), await newCustomer()];
    for (const [place, { caller }] of customers.entries()) {
      await register(caller, `${GOOD}/${place}`, CREATED);
      for (let made = 0; made < (place === 0 ? 40 : 3); made += 1) await create(caller, { amount: 1 });
    }
    const claim = await claimDeliveries(ctx, { after: null, without: [], freeFor: () => 2 });
    const mine = claim.chains.flat().filter(({ accountId }) => customers.some((one) => one.accountId === accountId));
    expect(mine.map(({ url }) => url).toSorted()).toEqual([0, 0, 1, 1, 2, 2].map((place) => `${GOOD}/${place}`));
  });

  it.each([
    ['had no room for all of it: more may be due', 2, true],
    ['had room for all of it: nobody looks again', 4, false],
  ])('is claimed by a worker that %s', async (_, room, hasMore) => {
    await deliverDue(worker().deliveries);
    const { caller, accountId } = await newCustomer();
    await register(caller, GOOD, CREATED);
    for (let made = 0; made < 3; made += 1) await create(caller, { amount: 1 });
    const claim = await claimDeliveries(ctx, { after: null, without: [], freeFor: () => room });
    expect([claim.chains.length, claim.hasMore]).toEqual([Math.min(3, room), hasMore]);
    clock.advance(leaseMs(ctx.settings.webhooks.timeoutMs));
    await deliverDue(worker().deliveries);
    expect((await deliveryRows(db, accountId)).map(({ state }) => state)).toEqual(Array(3).fill('delivered'));
  });

  it('of a process that died is made again when its lease is over, and not before', async () => {
    const { caller, accountId } = await newCustomer();
    await register(caller, GOOD, CREATED);
    await create(caller);
    const lost = await claimDeliveries(ctx, { after: null, without: [], freeFor: () => 100 });
    expect(lost.chains.flat().some((one) => one.accountId === accountId)).toBe(true);
    const { httpClient, deliveries } = worker();
    clock.advance(leaseMs(ctx.settings.webhooks.timeoutMs) - 1);
    await deliverDue(deliveries);
    expect(httpClient.sent.filter(({ body }) => body.includes(String(lost.chains[0]?.[0].objectId)))).toEqual([]);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'waiting' }]);
    clock.advance(1);
    await deliverDue(deliveries);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it('that another process has taken over is not ended by a late answer, which is logged all the same', async () => {
    const { caller, accountId } = await newCustomer();
    await register(caller, GOOD, CREATED);
    await create(caller);
    const slow = await claimDeliveries(ctx, { after: null, without: [], freeFor: () => 100 });
    const chain = present(
      slow.chains.find(([first]) => first.accountId === accountId),
      'the chain of the slow process',
    );
    clock.advance(leaseMs(ctx.settings.webhooks.timeoutMs));
    await deliverDue(worker(() => answered(500)).deliveries);
    const parts = { httpClient: scriptedClient(), schedule: scheduleOf(ctx.settings.webhooks), chance: () => 0 };
    const late = await sendFirst(ctx, parts, chain);
    await recordAttempts(ctx, [late]);
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'waiting', attempts: 1, tries: 1 }]);
    const logs = async () => Object((await caller.get('/v1/logs/webhooks')).body).object.length;
    expect(await logs()).toBe(2);
    await recordAttempts(ctx, [late]);
    expect(await logs()).toBe(2);
  });

  it('is never shared: two processes send each delivery once', async () => {
    const { caller, accountId } = await newCustomer();
    await register(caller, GOOD, ['transaction.created', 'transaction.paid_in']);
    await Promise.all(Array.from({ length: 40 }, () => createAndFund(caller, { amount: 1 })));
    const [one, two] = [worker(), worker()];
    await Promise.all([deliverDue(one.deliveries), deliverDue(two.deliveries)]);
    clock.advance(1_000);
    await deliverDue(one.deliveries);
    const bodies = [...one.httpClient.sent, ...two.httpClient.sent].map(({ body }) => body);
    expect(new Set(bodies).size).toBe(80);
    expect(bodies).toHaveLength(80);
    expect((await deliveryRows(db, accountId)).every(({ state }) => state === 'delivered')).toBe(true);
  });
});

describe('a process that stops', () => {
  it('finishes what is under way and gives back what waits, for another to send at once', async () => {
    const { caller, accountId } = await newCustomer();
    await register(caller, GOOD, CREATED);
    for (let made = 0; made < 40; made += 1) await create(caller, { amount: 1 });
    const first = worker();
    await first.deliveries.turn();
    await first.deliveries.settle();
    const states = (await deliveryRows(db, accountId)).map(({ state }) => state);
    expect(states.filter((state) => state === 'delivered')).toHaveLength(first.httpClient.sent.length);
    expect(first.httpClient.sent.length).toBeLessThan(40);
    const second = worker();
    await deliverDue(second.deliveries);
    expect(first.httpClient.sent.length + second.httpClient.sent.length).toBe(40);
  });
});

describe('a webhook that is deleted', () => {
  it('gets nothing more, and what waited is dropped', async () => {
    const { caller, accountId } = await newCustomer();
    const id = await register(caller, GOOD, CREATED);
    await create(caller);
    expect((await caller.delete(`/v1/webhooks/${id}`)).status).toBe(200);
    await create(caller);
    const { httpClient, deliveries } = worker();
    await deliverDue(deliveries);
    await dropUnwanted(ctx);
    expect(httpClient.sent).toEqual([]);
    expect(await deliveryRows(db, accountId)).toMatchObject([
      { state: 'dropped', state_reason: 'the webhook was deleted' },
    ]);
  });
});
