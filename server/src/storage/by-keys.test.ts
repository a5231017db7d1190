/** Rows by their keys: exactly those, each once, in one order, by the index, and none of another account. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { byKeys, keyLists } from './tenants.ts';

const { db } = await freshDatabase();
const TENANTS = 20;
const ROWS_EACH = 500;

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const key = (account: number, id: number) => ({ accountId: uuid(account), id: uuid(id) });
type Key = ReturnType<typeof key>;

/** The rows of the accounts bear the same ids, which ids of the service never do: whose is whose shows. */
beforeAll(async () => {
  await db.execute(
    `create table notes (account_id uuid, note_id uuid, is_new boolean, primary key (account_id, note_id))`,
  );
  await db.execute(`alter table notes set (autovacuum_enabled = off)`);
  await db.execute(
    `insert into notes
     select ('00000000-0000-7000-8000-' || lpad(a::text, 12, '0'))::uuid,
       ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n % 2 = 0
     from generate_series(1, $1::integer) a, generate_series(1, $2::integer) n`,
    [TENANTS, ROWS_EACH],
  );
});

const NOTES = { columns: 'n.account_id, n.note_id', from: 'notes n', id: 'note_id' } as const;

async function found(keys: readonly Key[], statement = byKeys(NOTES)) {
  const rows = await db.query<{ account_id: string; note_id: string }>(
    statement,
    keyLists(keys, ({ id }) => id),
  );
  return rows.map((row) => ({ accountId: row.account_id, id: row.note_id }));
}

describe('a look-up by keys', () => {
  it('finds what each key names, and not the same id of another account in the list', async () => {
    expect(await found([key(1, 7), key(2, 8)])).toEqual([key(1, 7), key(2, 8)]);
  });

  it('finds each row once, in the order of locks, however often and wherever it is named', async () => {
    expect(await found([key(2, 9), key(1, 8), key(2, 3), key(1, 8)])).toEqual([key(1, 8), key(2, 3), key(2, 9)]);
  });

  it('finds nothing by keys that name nothing, and nothing by none', async () => {
    expect(await found([key(1, ROWS_EACH + 1), key(TENANTS + 1, 1)])).toEqual([]);
    expect(await found([])).toEqual([]);
  });

  it('keeps to a further condition', async () => {
    expect(await found([key(1, 7), key(1, 8)], byKeys({ ...NOTES, and: 'n.is_new' }))).toEqual([key(1, 8)]);
  });

  it.each(['for update', 'for no key update', 'for share'] as const)('locks what it finds %s', async (lock) => {
    const wanted = [key(1, 7), key(2, 8)];
    await db.inTx(async (tx) => {
      await tx.query(
        byKeys({ ...NOTES, lock }),
        keyLists(wanted, ({ id }) => id),
      );
      const free = await db.query<{ account_id: string; note_id: string }>(
        `select n.account_id, n.note_id from notes n
         where n.note_id = any($1::uuid[]) and n.account_id = any($2::uuid[])
         order by 1, 2
         for update skip locked`,
        [wanted.map(({ id }) => id), wanted.map(({ accountId }) => accountId)],
      );
      expect(free.map((row) => [row.account_id, row.note_id])).toEqual([
        [uuid(1), uuid(8)],
        [uuid(2), uuid(7)],
      ]);
    });
  });

  it('reads no table whole, and no tenant, before there are statistics', async () => {
    const keys = Array.from({ length: TENANTS }, (_, place) => key(place + 1, place + 1));
    const explained = await db.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off, summary off, buffers off) ${byKeys(NOTES)}`,
      keyLists(keys, ({ id }) => id),
    );
    const plan = explained.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan');
    expect(plan).toMatch(new RegExp(`Index.* on notes n .*actual rows=1(\\.00)? loops=${TENANTS}`));
  });
});
