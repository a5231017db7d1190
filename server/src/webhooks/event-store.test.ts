/** Reading events page by page, by the id of the last one: each once, and those of one object in their order. */
import { describe, expect, it } from 'vitest';
import { makeAccount, NOON } from '../../../test/ledger/make-account.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { firstIdAt, timeOrderedIds } from '../kernel/ids.ts';
import { listEventsAfter } from './event-store.ts';
import { type EventRecord, insertEvents } from './outbox.ts';

const { db } = await freshDatabase();
const START = firstIdAt(NOON.getTime());

/** Of so many objects each so many events, two objects at a time within the same millisecond. */
async function accountWith({ objects, eventsOfEach }: { objects: number; eventsOfEach: number }): Promise<string> {
  const accountId = await makeAccount(db);
  const records: EventRecord[] = [];
  for (let object = 0; object < objects; object += 1) {
    const at = new Date(NOON.getTime() + Math.floor(object / 2));
    const ids = timeOrderedIds(() => at.getTime());
    const objectId = ids.next();
    for (let sequence = 1; sequence <= eventsOfEach; sequence += 1) {
      const about = { objectType: 'transaction', objectId, event: 'transaction.created', object: '{}' } as const;
      records.push({ ...about, accountId, eventId: ids.next(), sequence, descriptors: [], createdAt: at });
    }
  }
  await db.inTx((tx) => insertEvents(tx, records));
  return accountId;
}

async function pageAfter(accountId: string, after: string, limit: number) {
  return db.inTx((tx) => listEventsAfter(tx, { accountId, after, limit }));
}

/** As a listener does: each page behind the last event of the one before. */
async function readAll(accountId: string, limit: number) {
  const heard: { readonly id: string; readonly objectId: string }[] = [];
  for (let after = START; ; ) {
    const page = await pageAfter(accountId, after, limit);
    const last = page.at(-1);
    if (last === undefined) return heard;
    heard.push(...page.map(({ eventId, objectId }) => ({ id: eventId, objectId })));
    after = last.eventId;
  }
}

const sequenceOf = async () =>
  new Map(
    (await db.query<{ id: string; sequence: number }>('select event_id::text as id, sequence from events')).map(
      ({ id, sequence }) => [id, sequence],
    ),
  );

describe('events', () => {
  it.each([1, 2, 3, 7, 100])('are each given once, in the order of their object, in pages of %i', async (limit) => {
    const accountId = await accountWith({ objects: 8, eventsOfEach: 5 });
    const heard = await readAll(accountId, limit);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(40);
    expect(heard).toHaveLength(40);
    const sequences = await sequenceOf();
    for (const objectId of new Set(heard.map((one) => one.objectId))) {
      const own = heard.filter((one) => one.objectId === objectId);
      expect(own.map(({ id }) => sequences.get(id))).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('behind one are all but that one, also when its id comes in capitals', async () => {
    const accountId = await accountWith({ objects: 4, eventsOfEach: 3 });
    const [first] = await pageAfter(accountId, START, 1);
    const others = await pageAfter(accountId, (first?.eventId ?? '').toUpperCase(), 100);
    expect(others).toHaveLength(11);
    expect(others.map(({ eventId }) => eventId)).not.toContain(first?.eventId);
  });

  it('of others are not given', async () => {
    const accountId = await makeAccount(db);
    expect(await pageAfter(accountId, START, 100)).toEqual([]);
  });
});
