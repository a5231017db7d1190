/** How long events are kept where an operator has set it. Setting: webhooks.event_retention. */
import { describe, expect, it } from 'vitest';
import { beginAgain } from '../../server/src/webhooks/redelivery-store.ts';
import { dropOldEvents, dropOldWebhookLogs } from '../../server/src/webhooks/retention.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, deliveryRows, realWorker, registeredReceiver } from '../support/deliveries.ts';
import { create, wordsIn } from '../support/transactions.ts';
import { untilWaiting } from '../support/waiting.ts';

const DAY_MS = 86_400_000;
const { db } = await freshDatabase();
const app = await startApp({ db });
const { clock } = app;
const { webhooks } = app.ctx.settings;
const ctx = {
  ...app.ctx,
  settings: {
    ...app.ctx.settings,
    webhooks: { ...webhooks, eventRetentionMs: 90 * DAY_MS, logRetentionMs: 30 * DAY_MS },
  },
};
const worker = realWorker(ctx);

/** What is done every hour. */
async function dropOldRows(): Promise<void> {
  await dropOldWebhookLogs(ctx);
  await dropOldEvents(ctx);
}

/** An account whose webhook wants to hear of new transactions. */
async function newCustomer() {
  const account = await app.newAccount();
  return { ...account, ...(await registeredReceiver(account, ['transaction.created'])) };
}

const eventsOf = (accountId: string) =>
  db.query<{ event_id: string }>('select event_id from events where account_id = $1::uuid order by 1', [accountId]);

describe('an event', () => {
  it('goes with its deliveries when its retention is over, and cannot be sent again; its transaction stays', async () => {
    const { caller, accountId } = await newCustomer();
    const transaction = await create(caller);
    await deliverDue(worker);
    const [event] = await eventsOf(accountId);
    clock.advance(90 * DAY_MS);
    await dropOldRows();
    expect(await eventsOf(accountId)).toEqual([event]);
    clock.advance(1);
    await dropOldRows();
    expect(await eventsOf(accountId)).toEqual([]);
    expect(await deliveryRows(db, accountId)).toEqual([]);
    const again = await caller.post('/sandbox/webhooks/redeliver', { event_id: event?.event_id });
    expect(wordsIn(again)).toEqual(['event_id: not_found']);
    expect((await caller.get(`/v1/transactions/${transaction.id}`)).status).toBe(200);
  });

  it('is kept for ever where nothing is set', async () => {
    const { caller, accountId } = await newCustomer();
    await create(caller);
    await deliverDue(worker);
    clock.advance(5_000 * DAY_MS);
    expect(await dropOldEvents(app.ctx)).toBe(0);
    expect(await eventsOf(accountId)).toHaveLength(1);
  });

  it('stays while it is on its way', async () => {
    const { caller, accountId, receiver } = await newCustomer();
    receiver.answer(500);
    await create(caller);
    await deliverDue(worker);
    clock.advance(91 * DAY_MS);
    await dropOldRows();
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'waiting' }]);
    receiver.answer(200);
    await deliverDue(worker);
    expect(receiver.received.at(-1)).toMatchObject({ isSigned: true, body: { event: 'transaction.created' } });
  });

  it('that was sent again stays as long as the logs show it', async () => {
    const { caller, accountId } = await newCustomer();
    await create(caller);
    await deliverDue(worker);
    const [event] = await eventsOf(accountId);
    clock.advance(80 * DAY_MS);
    await caller.post('/sandbox/webhooks/redeliver', { event_id: event?.event_id });
    await deliverDue(worker);
    clock.advance(30 * DAY_MS);
    await dropOldRows();
    expect((await caller.get('/v1/logs/webhooks')).body).toMatchObject({ meta: { pagination: { total_count: 1 } } });
    expect(await eventsOf(accountId)).toHaveLength(1);
    clock.advance(1);
    await dropOldRows();
    expect(await eventsOf(accountId)).toEqual([]);
  });

  it('of which a log is left is no longer shown by it', async () => {
    const { caller, accountId } = await newCustomer();
    await create(caller);
    await deliverDue(worker);
    clock.advance(91 * DAY_MS);
    await dropOldEvents(ctx);
    expect(await eventsOf(accountId)).toEqual([]);
    expect(await caller.get('/v1/logs/webhooks')).toMatchObject({ status: 200, body: { object: [] } });
  });
});

describe('sending an event again in the moment in which it goes', () => {
  async function oldEvent() {
    const { caller, accountId, webhookId } = await newCustomer();
    await create(caller);
    await deliverDue(worker);
    clock.advance(91 * DAY_MS);
    const [event] = await eventsOf(accountId);
    return { accountId, webhookId, eventId: event?.event_id ?? '' };
  }

  it('keeps it, where that came first', async () => {
    const { accountId, webhookId, eventId } = await oldEvent();
    let dropped: Promise<number> | undefined;
    await db.inTx(async (tx) => {
      await beginAgain(tx, { accountId, eventId, webhookId }, clock.now());
      dropped = dropOldEvents(ctx);
      await untilWaiting(db);
    });
    await dropped;
    expect(await deliveryRows(db, accountId)).toMatchObject([{ state: 'waiting' }]);
  });

  it('does nothing, where that came too late', async () => {
    const { accountId, webhookId, eventId } = await oldEvent();
    let begun: Promise<number> | undefined;
    await db.inTx(async (tx) => {
      await dropOldEvents({ ...ctx, db: { ...db, inTx: (work) => work(tx) } });
      begun = db.inTx((other) => beginAgain(other, { accountId, eventId, webhookId }, clock.now()));
      await untilWaiting(db);
    });
    expect(await begun).toBe(0);
    const left = await db.query('select 1 from webhook_deliveries where account_id = $1::uuid', [accountId]);
    expect(left).toEqual([]);
  });
});
