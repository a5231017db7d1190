/** An object with more open deliveries than one claim reads of it: they go out part by part, and in their order. */
import { expect, it } from 'vitest';
import { LOOK_AGAIN_MS } from '../../server/src/webhooks/decide-claim.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { type EventRecord, insertEvents } from '../../server/src/webhooks/outbox.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, deliveryRows, register, scriptedClient } from '../support/deliveries.ts';

const { db } = await freshDatabase();
const app = await startApp({ db, flags: { webhooksPerEndpoint: '32' } });
const { clock, ctx } = app;
const EVENT = 'sender.approved';
/** More than one claim reads of an object, and no more than this webhook may be given at once. */
const EVENTS = 110;

it('a webhook that is given more than a hundred events of one object gets all of them in their order', async () => {
  const { caller, accountId } = await app.newAccount();
  await register(caller, 'http://127.0.0.1:9/hook', [EVENT]);
  const objectId = ctx.ids.next();
  const events = Array.from({ length: EVENTS }, (_, index): EventRecord => {
    const object = JSON.stringify({ id: objectId, place: index });
    const facts = { accountId, eventId: ctx.ids.next(), objectId, sequence: index + 1, object, createdAt: clock.now() };
    return { ...facts, event: EVENT, objectType: 'sender', descriptors: [] };
  });
  await db.inTx((tx) => insertEvents(tx, events));
  const httpClient = scriptedClient();
  const deliveries = new Deliveries(ctx, { httpClient, chance: () => 0 });
  await deliverDue(deliveries);
  clock.advance(LOOK_AGAIN_MS);
  await deliverDue(deliveries);
  expect(httpClient.sent.map(({ body }) => JSON.parse(body).object.place)).toEqual(events.map((_, index) => index));
  expect((await deliveryRows(db, accountId)).every(({ state }) => state === 'delivered')).toBe(true);
});
