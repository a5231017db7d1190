/**
 * Deliveries that the process which stored their events sends itself: nothing is claimed, and everything still holds.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { leaseMs } from '../../server/src/webhooks/claim.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { type EventRecord, insertEvents } from '../../server/src/webhooks/outbox.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { answered, deliverDue, deliveryRows, register, scriptedClient, TIMED_OUT } from '../support/deliveries.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { clock, ctx } = app;
const ADDRESS = 'http://127.0.0.1:9/hook';
const EVENT = 'sender.approved';
const { perEndpoint, timeoutMs } = ctx.settings.webhooks;
/** What a webhook that has nothing waiting may be given. */
const ROOM = perEndpoint * 2;

afterEach(() => db.execute('delete from webhook_deliveries'));

type Script = Parameters<typeof scriptedClient>[0];

function process(script?: Script) {
  const httpClient = scriptedClient(script);
  return { httpClient, deliveries: new Deliveries(ctx, { httpClient, chance: () => 0 }) };
}

async function newCustomer(): Promise<TestAccount> {
  const account = await app.newAccount();
  await register(account.caller, ADDRESS, [EVENT]);
  return account;
}

function eventOf({ accountId }: TestAccount, objectId: string, sequence = 1): EventRecord {
  const object = JSON.stringify({ id: objectId, sequence });
  const facts = { accountId, eventId: ctx.ids.next(), objectId, sequence, object, createdAt: clock.now() };
  return { ...facts, event: EVENT, objectType: 'sender', descriptors: [] };
}

const someEvents = (account: TestAccount, count: number) =>
  Array.from({ length: count }, () => eventOf(account, ctx.ids.next()));

/** Stores events as an operation does; what follows its commit is in the returned function. */
async function store(deliveries: Deliveries, events: readonly EventRecord[]) {
  const claim = deliveries.claimNew(events.length);
  const stored = await db.inTx((tx) => insertEvents(tx, events, claim));
  const taken = stored.filter(({ isTaken }) => isTaken);
  const send = () => claim && deliveries.sendNew({ claim, events, taken });
  return { taken: taken.length, waiting: stored.length - taken.length, send };
}

const statesOf = async ({ accountId }: TestAccount) => (await deliveryRows(db, accountId)).map(({ state }) => state);
const sequencesOf = (sent: readonly { body: string }[]) => sent.map(({ body }) => JSON.parse(body).object.sequence);

describe('what a process stores', () => {
  it('is sent by it after the commit, signed, without being claimed', async () => {
    const account = await newCustomer();
    const { httpClient, deliveries } = process();
    const { taken, send } = await store(deliveries, someEvents(account, 3));
    expect(taken).toBe(3);
    expect(httpClient.sent).toEqual([]);
    send();
    await deliveries.idle();
    expect(httpClient.sent).toHaveLength(3);
    expect(httpClient.sent[0]?.headers).toMatchObject({ 'Authorization-Key': account.key });
    expect(await statesOf(account)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('goes out in the order of its object, also when it is stored together', async () => {
    const account = await newCustomer();
    const { httpClient, deliveries } = process();
    const objectId = ctx.ids.next();
    const { send } = await store(
      deliveries,
      [2, 1, 3].map((sequence) => eventOf(account, objectId, sequence)),
    );
    send();
    await deliveries.idle();
    expect(sequencesOf(httpClient.sent)).toEqual([1, 2, 3]);
  });

  it('waits behind what is open about the same object', async () => {
    const account = await newCustomer();
    const { httpClient, deliveries } = process((_, count) => (count === 1 ? answered(500) : undefined));
    const objectId = ctx.ids.next();
    (await store(deliveries, [eventOf(account, objectId, 1)])).send();
    await deliveries.idle();
    const second = await store(deliveries, [eventOf(account, objectId, 2)]);
    expect(second).toMatchObject({ taken: 0, waiting: 1 });
    await deliverDue(deliveries);
    expect(sequencesOf(httpClient.sent)).toEqual([1]);
    clock.advance(1_000);
    await deliverDue(deliveries);
    expect(sequencesOf(httpClient.sent)).toEqual([1, 1, 2]);
  });

  it('that waited for one which has ended is looked for at once', async () => {
    const account = await newCustomer();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const httpClient = scriptedClient(async (_, count) => {
      if (count === 1) await released;
      return answered(200);
    });
    let looks = 0;
    const deliveries = new Deliveries(ctx, { httpClient, chance: () => 0, onFree: () => (looks += 1) });
    const objectId = ctx.ids.next();
    (await store(deliveries, [eventOf(account, objectId, 1)])).send();
    await store(deliveries, [eventOf(account, objectId, 2)]);
    await deliveries.turn();
    expect(looks).toBe(0);
    release();
    await deliveries.idle();
    expect(looks).toBe(1);
    await deliverDue(deliveries);
    expect(sequencesOf(httpClient.sent)).toEqual([1, 2]);
  });

  it('is left to wait beyond what its webhook can take', async () => {
    const account = await newCustomer();
    const { deliveries } = process();
    const { taken, waiting, send } = await store(deliveries, someEvents(account, ROOM + 5));
    expect([taken, waiting]).toEqual([ROOM, 5]);
    send();
    await deliverDue(deliveries);
    expect(new Set(await statesOf(account))).toEqual(new Set(['delivered']));
  });

  it('is left to wait where the webhook has timed out', async () => {
    const account = await newCustomer();
    const { deliveries } = process(() => TIMED_OUT);
    (await store(deliveries, someEvents(account, 1))).send();
    await deliveries.idle();
    expect(await store(deliveries, someEvents(account, 1))).toMatchObject({ taken: 0, waiting: 1 });
  });

  it('is sent by another process when its lease ends, should it die before', async () => {
    const account = await newCustomer();
    await store(process().deliveries, someEvents(account, 1));
    const { httpClient, deliveries } = process();
    clock.advance(leaseMs(timeoutMs) - 1);
    await deliverDue(deliveries);
    expect(httpClient.sent).toEqual([]);
    clock.advance(1);
    await deliverDue(deliveries);
    expect(httpClient.sent).toHaveLength(1);
    expect(await statesOf(account)).toEqual(['delivered']);
  });

  it('is given back when it stops meanwhile, and no more is taken', async () => {
    const account = await newCustomer();
    const { httpClient, deliveries } = process();
    const { send } = await store(deliveries, someEvents(account, 2));
    await deliveries.settle();
    send();
    await deliveries.idle();
    expect(httpClient.sent).toEqual([]);
    expect(deliveries.claimNew(1)).toBeUndefined();
    const other = process();
    await deliverDue(other.deliveries);
    expect(other.httpClient.sent).toHaveLength(2);
  });

  it('is given back when others came first and its webhook can take no more', async () => {
    const account = await newCustomer();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { httpClient, deliveries } = process(async () => {
      await released;
      return answered(200);
    });
    const batches = [1, 2, 3].map(() => store(deliveries, someEvents(account, ROOM)));
    for (const batch of batches) (await batch).send();
    await expect.poll(async () => (await deliveryRows(db, account.accountId)).filter(isDue).length).toBe(ROOM);
    expect(httpClient.sent).toHaveLength(perEndpoint);
    release();
    await deliveries.idle();
    await deliverDue(deliveries);
    expect(new Set(await statesOf(account))).toEqual(new Set(['delivered']));
    expect(httpClient.sent).toHaveLength(3 * ROOM);
  });
});

function isDue(row: { readonly next_attempt_at: Date | null }): boolean {
  return row.next_attempt_at !== null && row.next_attempt_at <= clock.now();
}
