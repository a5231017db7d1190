/** What is recorded of attempts, where two batches have the same webhooks or deliveries in hand at once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOfCrossing } from '../../../test/sessions/crossing.ts';
import { Session } from '../../../test/sessions/session.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { countTimeouts, moveDeliveries } from './attempt-store.ts';
import type { Attempt } from './delivery.ts';

const { db, url } = await freshDatabase();
const sessions = [new Session('one', url), new Session('other', url)] as const;
afterAll(() => Promise.all(sessions.map((session) => session.close())));

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
/** As many as make the server look them up one by one. */
const WEBHOOKS = 5_000;

beforeAll(async () => {
  await db.execute(
    `insert into webhooks (account_id, webhook_id, url, events, metadata, key, timeouts_in_row, created_at)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
       ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'https://example.com/', '{}', '{}', 'key', 0, now()
     from generate_series(1, $1::integer) n`,
    [WEBHOOKS],
  );
  await db.execute('analyze webhooks');
});

/** A claim that ran out was recorded by two, each in its own order. */
function attemptAt(eventId: string): Attempt {
  const at = new Date('2026-01-01T12:00:00Z');
  const key = { accountId: uuid(1), eventId, webhookId: uuid(1), objectId: eventId, claimId: uuid(9) };
  const counts = { sequence: 1, attempts: 0, tries: 0, nextAttemptAt: at };
  const sent = {
    url: 'https://example.com/',
    signer: undefined,
    event: 'transaction.created',
    eventAt: at,
    body: '{}',
  };
  return {
    ...{ attemptId: eventId, delivery: { ...key, ...counts, ...sent }, requestHeaders: {}, sentAt: at, endedAt: at },
    outcome: { kind: 'timed_out', tookMs: 10_000 },
    next: { state: 'waiting', reason: 'timed out', nextAttemptAt: at },
    behind: [],
  };
}

const timedOut = (number: number) => ({
  accountId: uuid(number),
  webhookId: uuid(number),
  timeouts: 1,
  isReset: false,
});

it('two batches that count time-outs of the same webhooks wait for each other, whatever ended first in each', async () => {
  const faults = await faultsOfCrossing(sessions, db, {
    keep: (tx) => tx.query('select 1 from webhooks where webhook_id = $1::uuid for update', [uuid(3)]),
    works: [(tx) => countTimeouts(tx, [1, 3, 2].map(timedOut)), (tx) => countTimeouts(tx, [2, 3, 1].map(timedOut))],
  });
  expect(faults).toEqual([]);
  const counted = await db.query('select webhook_id, timeouts_in_row from webhooks where timeouts_in_row > 0');
  expect(counted).toHaveLength(3);
  expect(counted).toContainEqual({ webhook_id: uuid(1), timeouts_in_row: 2 });
});

it('two batches that record attempts at the same deliveries wait for each other, whatever ended first in each', async () => {
  await db.execute(
    `insert into webhook_deliveries (account_id, event_id, webhook_id, object_id, sequence, state, attempts, tries,
       next_attempt_at, claim_id, event_at)
     select $1::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid, gen_random_uuid(), 1,
       'waiting', 0, 0, now(), $2::uuid, now()
     from generate_series(1, $3::integer) n`,
    [uuid(1), uuid(9), WEBHOOKS],
  );
  await db.execute('analyze webhook_deliveries');
  const attempts = (...events: readonly number[]) => events.map((event) => attemptAt(uuid(event)));
  const faults = await faultsOfCrossing(sessions, db, {
    keep: (tx) => tx.query('select 1 from webhook_deliveries where event_id = $1::uuid for update', [uuid(3)]),
    works: [(tx) => moveDeliveries(tx, attempts(1, 3, 2)), (tx) => moveDeliveries(tx, attempts(2, 3, 1))],
  });
  expect(faults).toEqual([]);
  expect(await db.query('select 1 from webhook_deliveries where tries = 1')).toHaveLength(3);
});
