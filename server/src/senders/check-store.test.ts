/** Senders of an account that are made due or put off all at once: each is locked once, whatever the statistics say. */
import { beforeEach, describe, expect, it } from 'vitest';
import { planOfChange } from '../../../test/sessions/plan-of-change.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { untilWaiting } from '../../../test/support/waiting.ts';
import { makeSendersDue, putOffDueSenders } from './check-store.ts';

const { db } = await freshDatabase();
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const SENDERS = 300;
const NOON = new Date('2026-01-01T12:00:00Z');
const LATER = new Date('2026-01-01T13:00:00Z');

const add = (accountId: string, count: number, dueAt: Date | null) =>
  db.execute(
    `insert into senders (account_id, sender_id, type, state, details, metadata, event_count, created_at, updated_at,
       screened_at, screened_with, due_at, due_for)
     select ${accountId}, gen_random_uuid(), 'person', 'approved', '{}', '{}', 0, $1::timestamptz, $1::timestamptz,
       $1::timestamptz, 'v1', $3::timestamptz, case when $3::timestamptz is not null then 'lists' end
     from generate_series(1, $2::integer)`,
    [NOON, count, dueAt],
  );

/** By the statistics an account has one sender, as when this one has begun to grow since then. */
async function grown(dueAt: Date | null): Promise<void> {
  await add('gen_random_uuid()', SENDERS * 10, null);
  await db.execute('analyze senders');
  await add(`'${ACCOUNT}'::uuid`, SENDERS, dueAt);
}

beforeEach(async () => {
  await db.execute('truncate senders cascade');
  await db.execute('alter table senders set (autovacuum_enabled = off)');
});

describe('all senders of an account', () => {
  it('that become due are locked once, before the first is changed', async () => {
    await grown(null);
    const { plan, changed } = await planOfChange(db, (tx) => makeSendersDue(tx, ACCOUNT, NOON));
    expect(changed).toBe(SENDERS);
    expect(plan).not.toMatch(/Nested Loop|Join/);
    expect([...plan.matchAll(/LockRows .*loops=(\d+)/g)].map(([, loops]) => loops)).toEqual(['1']);
  });

  it('that are put off are looked for once', async () => {
    await grown(NOON);
    const times = { now: NOON, until: LATER };
    const { plan, changed } = await planOfChange(db, (tx) => putOffDueSenders(tx, { accountId: ACCOUNT }, times));
    expect(changed).toBe(SENDERS);
    expect(plan).not.toMatch(/Nested Loop|Join/);
    expect([...plan.matchAll(/LockRows .*loops=(\d+)/g)].map(([, loops]) => loops)).toEqual(['1']);
  });
});

describe('a sender that somebody changes while its account comes to be screened', () => {
  /** Makes the senders due while somebody else has changed one of them, and commits that. */
  async function meanwhile(change: string): Promise<(string | null)[]> {
    await add(`'${ACCOUNT}'::uuid`, 3, null);
    const [sender] = await db.query<{ sender_id: string }>('select sender_id from senders order by sender_id limit 1');
    const making = await db.inTx(async (tx) => {
      await tx.execute(`update senders set ${change} where sender_id = $1::uuid`, [sender?.sender_id ?? '']);
      const running = db.inTx((other) => makeSendersDue(other, ACCOUNT, LATER));
      await untilWaiting(db);
      return { running };
    });
    await making.running;
    const rows = await db.query<{ due_for: string | null }>('select due_for from senders order by sender_id');
    return rows.map((row) => row.due_for);
  }

  it('is due as it is then', async () => {
    expect(await meanwhile(`updated_at = updated_at + interval '1 second'`)).toEqual(['edited', 'lists', 'lists']);
  });

  it('and is refused is left alone', async () => {
    expect(await meanwhile(`state = 'banned'`)).toEqual([null, 'lists', 'lists']);
  });
});
