/** Deliveries with long objects: a process claims as many as it has memory for. Spec: Events (3). */
import { expect, it } from 'vitest';
import { leaseFrom } from '../../server/src/webhooks/claim.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { type EventRecord, insertEvents, MAX_TAKEN_CHARS } from '../../server/src/webhooks/outbox.ts';
import { TextRoom } from '../../server/src/webhooks/text-room.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { answered, deliverDue, deliveryRows, register, scriptedClient } from '../support/deliveries.ts';

const LONG = 70_000;
const EVENTS = 10;
const { db } = await freshDatabase();
const { newAccount, clock, ctx } = await startApp({ db });

async function newCustomer() {
  const { caller, accountId } = await newAccount();
  const webhookId = await register(caller, `http://127.0.0.1:9/${accountId}`, ['sender.approved']);
  const event = (length: number, objectId = ctx.ids.next(), sequence = 1): EventRecord => ({
    accountId,
    eventId: ctx.ids.next(),
    event: 'sender.approved',
    objectType: 'sender',
    objectId,
    sequence,
    object: JSON.stringify({ text: 'x'.repeat(length) }),
    descriptors: [],
    createdAt: clock.now(),
  });
  return { accountId, webhookId, event };
}

it('an account whose receivers are slow holds half of the memory, others get theirs, and all comes in the end', async () => {
  const [large, small] = [await newCustomer(), await newCustomer()];
  const events = Array.from({ length: EVENTS }, () => large.event(LONG));
  await db.inTx((tx) => insertEvents(tx, [...events, small.event(1)]));
  let answer: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const httpClient = scriptedClient(() => slow.then(() => answered(200)));
  const worker = new Deliveries(ctx, { httpClient, room: new TextRoom(4 * LONG) });
  while (await worker.turn());
  const sentTo = ({ accountId }: { accountId: string }) => httpClient.sent.filter(({ url }) => url.endsWith(accountId));
  expect([sentTo(large).length, sentTo(small).length]).toEqual([2, 1]);
  answer();
  await worker.idle();
  await deliverDue(worker);
  const rows = [...(await deliveryRows(db, large.accountId)), ...(await deliveryRows(db, small.accountId))];
  expect(rows.map(({ state }) => state)).toEqual(Array(EVENTS + 1).fill('delivered'));
  await worker.settle();
});

it('a long text is not handed over as it is stored, nor are others of its object; all are there to be claimed', async () => {
  const { event, webhookId } = await newCustomer();
  const objectId = ctx.ids.next();
  const [before, long, behind] = [event(1, objectId, 1), event(MAX_TAKEN_CHARS, objectId, 2), event(1, objectId, 3)];
  const other = event(1);
  const claim = { claimId: ctx.ids.next(), leaseUntil: leaseFrom(clock.now(), ctx), without: [], perWebhook: 16 };
  const stored = await db.inTx((tx) => insertEvents(tx, [before, long, behind, other], claim));
  const taken = stored.filter(({ isTaken }) => isTaken).map(({ eventId }) => eventId);
  expect(taken).toEqual([other.eventId]);
  const due = await db.query(
    'select 1 from webhook_deliveries d where d.webhook_id = $1::uuid and d.next_attempt_at <= $2::timestamptz',
    [webhookId, clock.now()],
  );
  expect(due).toHaveLength(3);
});
