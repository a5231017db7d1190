/** A delivery that cannot be made ready, or a key that does not open, keeps nobody else waiting. */
import { afterEach, describe, expect, it } from 'vitest';
import { PUT_OFF_MS } from '../../server/src/kernel/put-off.ts';
import { UNSIGNED } from '../../server/src/webhooks/claim.ts';
import { BROKEN } from '../../server/src/webhooks/claim-apart.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { type EventRecord, insertEvents } from '../../server/src/webhooks/outbox.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, deliveryRows, register, scriptedClient } from '../support/deliveries.ts';
import { hastyOf } from '../support/hasty.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { clock, ctx, logged } = app;
const EVENT = 'sender.approved';

afterEach(() => db.execute('delete from webhook_deliveries'));

async function newCustomer(): Promise<TestAccount> {
  const account = await app.newAccount();
  await register(account.caller, 'http://127.0.0.1:9/hook', [EVENT]);
  return account;
}

function eventOf({ accountId }: TestAccount, { objectId = ctx.ids.next(), sequence = 1 } = {}): EventRecord {
  const object = JSON.stringify({ id: objectId, sequence });
  const facts = { accountId, eventId: ctx.ids.next(), objectId, sequence, object, createdAt: clock.now() };
  return { ...facts, event: EVENT, objectType: 'sender', descriptors: [] };
}

/** Its payout method has a descriptor that is not stored: nothing can be sent of it. */
function brokenEventOf(account: TestAccount, objectId = ctx.ids.next()): EventRecord {
  const object = JSON.stringify({ id: objectId, sequence: 1, payout_method: {} });
  return { ...eventOf(account, { objectId }), object, objectType: 'recipient', descriptors: [objectId] };
}

async function breakKey({ accountId }: TestAccount): Promise<() => Promise<unknown>> {
  const change = "update api_keys set secret = '\\x00'::bytea || secret where account_id = $1::uuid";
  const mend = 'update api_keys set secret = substr(secret, 2) where account_id = $1::uuid';
  await db.execute(change, [accountId]);
  return () => db.execute(mend, [accountId]);
}

const put = (events: readonly EventRecord[]) => db.inTx((tx) => insertEvents(tx, events));
const statesOf = async ({ accountId }: TestAccount) => (await deliveryRows(db, accountId)).map(({ state }) => state);

function process() {
  const httpClient = scriptedClient();
  let looks = 0;
  const deliveries = new Deliveries(ctx, { httpClient, chance: () => 0, onFree: () => (looks += 1) });
  return { httpClient, deliveries, looks: () => looks };
}

/** Stores events as an operation does, and hands them over. */
async function handOver(deliveries: Deliveries, events: readonly EventRecord[]): Promise<number> {
  const claim = deliveries.claimNew(events.length);
  if (claim === undefined) throw new Error('no room');
  const taken = (await db.inTx((tx) => insertEvents(tx, events, claim))).filter(({ isTaken }) => isTaken);
  deliveries.sendNew({ claim, events, taken });
  await deliveries.idle();
  return taken.length;
}

/** Lines of errors that a test has caused. */
function errorsDuring(): () => string[] {
  const before = logged.length;
  return () => logged.slice(before).filter((line) => JSON.parse(line).level === 'error');
}

describe('a delivery that cannot be made ready', () => {
  it('waits by itself and says so, is logged once, and everything else goes out', async () => {
    const [bad, good] = [await newCustomer(), await newCustomer()];
    const broken = brokenEventOf(bad);
    await put([eventOf(bad), broken, eventOf(bad), eventOf(good)]);
    const errors = errorsDuring();
    const { deliveries } = process();
    await deliverDue(deliveries);
    await deliverDue(deliveries);
    expect(await statesOf(good)).toEqual(['delivered']);
    const rows = await deliveryRows(db, bad.accountId);
    expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(2);
    expect(rows.find(({ object_id: id }) => id === broken.objectId)).toMatchObject({
      state: 'waiting',
      state_reason: BROKEN,
      attempts: 0,
      next_attempt_at: new Date(clock.now().getTime() + PUT_OFF_MS),
    });
    expect(errors()).toHaveLength(1);
    expect(errors()[0]).toContain(broken.eventId);
  });

  it('is sent later when it is mended, and before what came after it about the same object', async () => {
    const account = await newCustomer();
    const broken = brokenEventOf(account);
    await put([broken, eventOf(account, { objectId: broken.objectId, sequence: 2 })]);
    const { httpClient, deliveries } = process();
    await deliverDue(deliveries);
    clock.advance(PUT_OFF_MS / 2);
    await deliverDue(deliveries);
    expect(httpClient.sent).toEqual([]);
    await db.execute("insert into field_descriptors (hash, fields) values ($1, '{}')", [broken.objectId]);
    clock.advance(PUT_OFF_MS / 2);
    await deliverDue(deliveries);
    expect(httpClient.sent.map(({ body }) => JSON.parse(body).object.sequence)).toEqual([1, 2]);
    expect(await deliveryRows(db, account.accountId)).toMatchObject(Array(2).fill({ state: 'delivered' }));
  });

  it('that is handed over goes back with the others, which are claimed at once', async () => {
    const [bad, good] = [await newCustomer(), await newCustomer()];
    const { deliveries, httpClient, looks } = process();
    expect(await handOver(deliveries, [brokenEventOf(bad), eventOf(good)])).toBe(2);
    expect([httpClient.sent.length, looks()]).toEqual([0, 1]);
    await deliverDue(deliveries);
    expect(await statesOf(good)).toEqual(['delivered']);
    expect(await deliveryRows(db, bad.accountId)).toMatchObject([{ state: 'waiting', state_reason: BROKEN }]);
  });
});

describe('a webhook whose key does not open', () => {
  it('waits with all that it has, is logged once in five minutes, and delays nobody', async () => {
    const [bad, good] = [await newCustomer(), await newCustomer()];
    const mend = await breakKey(bad);
    await put([...Array.from({ length: 50 }, () => eventOf(bad)), eventOf(good)]);
    const errors = errorsDuring();
    const { deliveries } = process();
    for (let turn = 0; turn < 5; turn += 1) await deliverDue(deliveries);
    expect(await statesOf(good)).toEqual(['delivered']);
    const rows = await deliveryRows(db, bad.accountId);
    expect(rows.every(({ state, attempts }) => state === 'waiting' && attempts === 0)).toBe(true);
    expect(rows.some(({ state_reason: reason }) => reason === UNSIGNED)).toBe(true);
    expect(errors()).toHaveLength(1);
    clock.advance(PUT_OFF_MS);
    await deliverDue(deliveries);
    expect(errors()).toHaveLength(2);
    await mend();
    clock.advance(PUT_OFF_MS);
    await deliverDue(deliveries);
    expect(new Set(await statesOf(bad))).toEqual(new Set(['delivered']));
  });

  it('gets nothing handed over after the first time, and the others get theirs', async () => {
    const [bad, good] = [await newCustomer(), await newCustomer()];
    const mend = await breakKey(bad);
    const { deliveries, httpClient } = process();
    expect(await handOver(deliveries, [eventOf(bad), eventOf(good)])).toBe(2);
    expect(await statesOf(good)).toEqual(['delivered']);
    expect(await deliveryRows(db, bad.accountId)).toMatchObject([{ state: 'waiting', state_reason: UNSIGNED }]);
    expect(await handOver(deliveries, [eventOf(bad), eventOf(good)])).toBe(1);
    expect(httpClient.sent).toHaveLength(2);
    await mend();
    clock.advance(PUT_OFF_MS);
    await deliverDue(deliveries);
    expect(await statesOf(bad)).toEqual(['delivered', 'delivered']);
  });
});

describe('rows that somebody keeps', () => {
  it.each([
    ['a delivery', 'webhook_deliveries'],
    ['a webhook', 'webhooks'],
    ['an event', 'events'],
    ['a key', 'api_keys'],
    ['an account', 'accounts'],
  ])('hold up the claim of nobody: %s', async (_, table) => {
    const [bad, good] = [await newCustomer(), await newCustomer()];
    const first = eventOf(bad);
    await put([first, eventOf(bad, { objectId: first.objectId, sequence: 2 }), eventOf(good)]);
    const httpClient = scriptedClient();
    const deliveries = new Deliveries({ ...ctx, db: hastyOf(db) }, { httpClient, chance: () => 0 });
    await db.inTx(async (tx) => {
      await tx.query(`select 1 from ${table} where account_id = $1::uuid limit 1 for update`, [bad.accountId]);
      await deliveries.turn();
      await expect.poll(() => statesOf(good)).toEqual(['delivered']);
    });
    await deliveries.idle();
  });
});
