/** Which webhooks have work, and deliveries that two batches have in hand. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfCrossing } from '../../../test/sessions/crossing.ts';
import { Session } from '../../../test/sessions/session.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { keptPlans } from '../../../test/support/plans.ts';
import { giveBack, readDueEndpoints } from './delivery-store.ts';

const { db, url } = await freshDatabase();
const sessions = [new Session('one', url), new Session('other', url)] as const;
afterAll(() => Promise.all(sessions.map((session) => session.close())));

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const WEBHOOKS = 3_000;
const BACKLOG = 5_000;
const NOW = new Date('2026-01-01T12:00:00Z');
const EARLIER = new Date('2026-01-01T11:00:00Z');
const LATER = new Date('2026-01-01T13:00:00Z');
const URL = 'https://example.com/';

beforeAll(async () => {
  await db.execute(
    `insert into webhooks (account_id, webhook_id, url, events, metadata, key, timeouts_in_row, created_at)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
       ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, '{}', '{}', 'key', 0, $3::timestamptz
     from generate_series(1, $1::integer) n`,
    [WEBHOOKS, URL, EARLIER],
  );
  await db.execute('analyze webhooks');
});
afterEach(async () => {
  await db.execute('truncate webhook_deliveries');
  await db.execute('update webhooks set disabled_at = null, disabled_reason = null, deleted_at = null');
});

async function store(webhook: number, dueAt: Date, count = 1): Promise<void> {
  await db.execute(
    `insert into webhook_deliveries (account_id, event_id, webhook_id, object_id, sequence, state, attempts, tries,
       next_attempt_at, event_at)
     select $1::uuid, gen_random_uuid(), $1::uuid, gen_random_uuid(), 1, 'waiting', 0, 0, $2::timestamptz, $2::timestamptz
     from generate_series(1, $3::integer)`,
    [uuid(webhook), dueAt, count],
  );
}

interface Turn {
  readonly after?: number;
  readonly without?: readonly number[];
  readonly limit?: number;
}

async function due({ after, without = [], limit = 64 }: Turn = {}): Promise<number[]> {
  const found = await readDueEndpoints(db, {
    now: NOW,
    after: after === undefined ? null : { accountId: uuid(after), webhookId: uuid(after) },
    without: without.map(uuid),
    limit,
  });
  return found.map(({ webhookId }) => Number(webhookId.slice(-12)));
}

describe('endpoints with work', () => {
  it('are those with a delivery that is due, however many others there are, each once', async () => {
    await store(2, EARLIER, 3);
    await store(1_000, NOW);
    await store(1_001, EARLIER, 2);
    await store(2_900, EARLIER);
    for (const later of [1, 3, 999, 1_002, 2_901]) await store(later, LATER, 2);
    expect(await due()).toEqual([2, 1_000, 1_001, 2_900]);
  });

  it('are told with where they are and how they answered', async () => {
    await store(2_500, EARLIER);
    const [endpoint] = await readDueEndpoints(db, { now: NOW, after: null, without: [], limit: 1 });
    const [accountId, webhookId] = [uuid(2_500), uuid(2_500)];
    expect(endpoint).toEqual({ accountId, webhookId, url: URL, key: 'key', timeoutsInRow: 0 });
  });

  it('get their turn in one order, so many at a time, beginning behind the last one', async () => {
    for (const webhook of [1, 2, 1_500, 1_501, 2_999]) await store(webhook, EARLIER, 2);
    expect(await due({ limit: 3 })).toEqual([1, 2, 1_500]);
    expect(await due({ limit: 3, after: 1_500 })).toEqual([1_501, 2_999]);
    expect(await due({ limit: 3, after: 2_999 })).toEqual([]);
  });

  it('are not those that have all they can take, were disabled or were deleted', async () => {
    for (const webhook of [1, 2, 3, 4, 2_001, 2_002, 2_003, 2_004]) await store(webhook, EARLIER, 2);
    const isOver = 'where webhook_id = any($1::uuid[])';
    await db.execute(`update webhooks set disabled_at = now(), disabled_reason = 'x' ${isOver}`, [
      [2, 2_002].map(uuid),
    ]);
    await db.execute(`update webhooks set deleted_at = now() ${isOver}`, [[3, 2_003].map(uuid)]);
    expect(await due({ without: [1, 2_001] })).toEqual([4, 2_004]);
  });
});

it('one delivery is read of very many that are due for one webhook, and none for all others', async () => {
  await store(500, EARLIER, BACKLOG);
  await db.execute('analyze webhook_deliveries');
  expect(await due()).toEqual([500]);
  const after = { accountId: uuid(0), webhookId: uuid(0) };
  const plan = await keptPlans(db, (tx) => readDueEndpoints(tx, { now: NOW, after, without: [], limit: 64 }));
  const read = [...plan.matchAll(/ on webhook_deliveries d .*actual rows=([\d.]+) loops=(\d+)/g)];
  expect(read.reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0)).toBeLessThanOrEqual(1);
  expect(plan).not.toContain('Seq Scan on webhook_deliveries');
});

it('two batches that release the same deliveries wait for each other, whatever comes first in each', async () => {
  await store(1, LATER, BACKLOG);
  await db.execute('analyze webhook_deliveries');
  const [first, last, kept] = (
    await db.query<{ event_id: string }>('select event_id from webhook_deliveries order by event_id limit 3')
  ).map((row) => row.event_id);
  const released = (...eventIds: (string | undefined)[]) =>
    eventIds.map((eventId = '') => ({
      ...{ accountId: uuid(1), webhookId: uuid(1), claimId: null, dueAt: NOW },
      eventId,
    }));
  const faults = await faultsOfCrossing(sessions, db, {
    keep: (tx) => tx.query('select 1 from webhook_deliveries where event_id = $1::uuid for update', [kept ?? '']),
    works: [(tx) => giveBack(tx, released(first, kept, last)), (tx) => giveBack(tx, released(last, kept, first))],
  });
  expect(faults).toEqual([]);
  expect(
    await db.query('select 1 from webhook_deliveries where next_attempt_at = $1::timestamptz', [NOW]),
  ).toHaveLength(3);
});
