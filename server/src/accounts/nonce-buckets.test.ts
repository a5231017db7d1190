import { beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { defaultTerms } from './account.ts';
import { bucketsOf, type Call, claimCalls } from './calls.ts';
import { keepNonceBuckets } from './nonce-buckets.ts';
import { insertAccount } from './store.ts';

const { db } = await freshDatabase();
const accountId = '019a8000-0000-7000-8000-000000000001';
const DAY_MS = 86_400_000;
const RETENTION_MS = 7 * DAY_MS;
/** The middle of a bucket: 100 whole periods after the epoch and three days. */
const NOW = new Date(100 * RETENTION_MS + 3 * DAY_MS);

const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
const nameAt = (periods: number) => `nonces_${(periods * RETENTION_MS) / 1_000}_${RETENTION_MS / 1_000}`;

const account = { ...defaultTerms('sandbox'), name: 'One', accountId, createdAt: NOW, updatedAt: NOW };
await db.inTx((tx) => insertAccount(tx, account));

async function partitions(): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'nonces'::regclass and c.relname <> 'nonces_default' order by c.relname`,
  );
  return rows.map((row) => row.name);
}

let made = 0;

function callAt(at: Date, nonce: string): Call {
  made += 1;
  return { accountId, key: 'key-1', nonce, at, commandId: `019a8000-0000-7000-8000-${String(made).padStart(12, '0')}` };
}

const claim = (at: Date, nonce: string) => db.inTx((tx) => claimCalls(tx, [callAt(at, nonce)], RETENTION_MS));

async function rowsIn(table: 'nonces' | 'nonces_default'): Promise<number> {
  const text = table === 'nonces' ? 'select 1 from nonces' : 'select 1 from nonces_default';
  return (await db.query(text)).length;
}

/** Does it while somebody reads the table from beginning to end in one transaction, as pg_dump does. */
async function whileRead<T>(table: string, work: () => Promise<T>): Promise<T> {
  return db.inTx(async (reader) => {
    await reader.execute(`lock table ${table} in access share mode`);
    return work();
  });
}

beforeEach(async () => {
  await db.execute('delete from nonces');
  for (const name of await partitions()) await db.execute(`drop table ${name}`);
});

describe('nonce buckets', () => {
  it('has a partition for this period and one for the next', async () => {
    const changes = await keepNonceBuckets(db, NOW, RETENTION_MS);
    expect(changes).toEqual({ created: [nameAt(100), nameAt(101)], dropped: [], leftInDefault: [], notNow: null });
    expect(await partitions()).toEqual([nameAt(100), nameAt(101)]);
  });

  it('changes nothing when it is run again, also by several processes at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => keepNonceBuckets(db, NOW, RETENTION_MS).catch(() => undefined)));
    const again = await keepNonceBuckets(db, NOW, RETENTION_MS);
    expect(again).toEqual({ created: [], dropped: [], leftInDefault: [], notNow: null });
    expect(await partitions()).toEqual([nameAt(100), nameAt(101)]);
  });

  it('keeps new nonces out of the default partition', async () => {
    await keepNonceBuckets(db, NOW, RETENTION_MS);
    expect(await claim(NOW, 'n1')).toEqual(['claimed']);
    expect([await rowsIn('nonces'), await rowsIn('nonces_default')]).toEqual([1, 0]);
  });

  it('refuses a replay for at least the retention, and drops a period when it is no longer needed', async () => {
    await keepNonceBuckets(db, NOW, RETENTION_MS);
    const last = new Date(101 * RETENTION_MS - 120_000);
    await claim(last, 'late');
    const stillKept = new Date(last.getTime() + RETENTION_MS);
    expect((await keepNonceBuckets(db, stillKept, RETENTION_MS)).dropped).toEqual([]);
    expect(await claim(stillKept, 'late')).toEqual(['replayed']);
    const over = await keepNonceBuckets(db, new Date(102 * RETENTION_MS), RETENTION_MS);
    expect(over.dropped).toEqual([nameAt(100)]);
    expect(await partitions()).toEqual([nameAt(101), nameAt(102), nameAt(103)]);
  });

  it('leaves rows alone that are in the default partition already, and deletes them when they are old', async () => {
    await claim(NOW, 'early');
    const changes = await keepNonceBuckets(db, NOW, RETENTION_MS);
    expect(changes).toEqual({ created: [nameAt(101)], dropped: [], leftInDefault: [nameAt(100)], notNow: null });
    expect(await claim(later(6.9), 'early')).toEqual(['replayed']);
    await keepNonceBuckets(db, later(7), RETENTION_MS);
    expect(await rowsIn('nonces_default')).toBe(1);
    await keepNonceBuckets(db, new Date(later(7).getTime() + 1), RETENTION_MS);
    expect(await rowsIn('nonces_default')).toBe(0);
  });

  it('refuses a replay across a boundary between two periods', async () => {
    await keepNonceBuckets(db, NOW, RETENTION_MS);
    const boundary = 101 * RETENTION_MS;
    expect(bucketsOf(new Date(boundary - 1_000), RETENTION_MS)).toHaveLength(2);
    expect(await claim(new Date(boundary - 1_000), 'edge')).toEqual(['claimed']);
    expect(await claim(new Date(boundary + 1_000), 'edge')).toEqual(['replayed']);
  });

  it('never forgets early when the retention was changed', async () => {
    await keepNonceBuckets(db, NOW, RETENTION_MS);
    const shorter = await keepNonceBuckets(db, later(1), DAY_MS);
    expect(shorter.dropped).toEqual([]);
    expect(shorter.created).toHaveLength(2);
    const longer = await keepNonceBuckets(db, later(3), RETENTION_MS);
    expect(longer.dropped).toEqual([]);
    expect(await partitions()).toEqual(expect.arrayContaining([nameAt(100), nameAt(101), ...shorter.created]));
  });

  it('remembers for the longer retention what came into a partition that a shorter one had made', async () => {
    const start = new Date(100 * RETENTION_MS);
    await keepNonceBuckets(db, start, DAY_MS);
    expect((await keepNonceBuckets(db, start, RETENTION_MS)).created).toEqual([nameAt(101)]);
    const last = new Date(101 * RETENTION_MS - 120_000);
    await claim(last, 'late');
    const stillKept = new Date(last.getTime() + RETENTION_MS);
    expect((await keepNonceBuckets(db, stillKept, RETENTION_MS)).dropped).toEqual([]);
    expect(await claim(stillKept, 'late')).toEqual(['replayed']);
  });

  it('waits for the next time while the table is read, and calls are accepted once all the same', async () => {
    const nothing = { created: [], dropped: [], leftInDefault: [], notNow: nameAt(100) };
    await whileRead('nonces', async () => {
      expect(await keepNonceBuckets(db, NOW, RETENTION_MS)).toEqual(nothing);
      expect(await claim(NOW, 'n1')).toEqual(['claimed']);
      expect(await claim(NOW, 'n1')).toEqual(['replayed']);
    });
    const after = await keepNonceBuckets(db, NOW, RETENTION_MS);
    expect(after).toEqual({ created: [nameAt(101)], dropped: [], leftInDefault: [nameAt(100)], notNow: null });
    expect(await claim(later(6), 'n1')).toEqual(['replayed']);
  });

  it('keeps a period that nobody needs for as long as somebody reads it', async () => {
    await keepNonceBuckets(db, NOW, RETENTION_MS);
    const over = new Date(102 * RETENTION_MS);
    const first = await whileRead(nameAt(100), () => keepNonceBuckets(db, over, RETENTION_MS));
    expect(first).toMatchObject({ created: [nameAt(102), nameAt(103)], dropped: [], notNow: nameAt(100) });
    expect(await keepNonceBuckets(db, over, RETENTION_MS)).toMatchObject({ dropped: [nameAt(100)], notNow: null });
  });
});
