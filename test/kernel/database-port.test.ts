/** What the Database port promises, asked of each adapter in the same words: the simulation must not lie. */
import { beforeAll, describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../../server/src/kernel/assert.ts';
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  type SqlValue,
  type Tx,
} from '../../server/src/kernel/database.ts';
import { openPg } from '../../server/src/storage/pg.ts';
import { dumpSchema } from '../../server/src/storage/schema-dump.ts';
import { freshDatabase } from '../support/database.ts';
import { openSimulated } from '../support/simulated-database.ts';

const { url } = await freshDatabase();
const { db: untouched } = await freshDatabase();
const ID = '0190f2c0-5b1e-7cc3-98c4-dc0c0c07398f';
const AT = new Date('2026-11-15T12:34:56.789Z');

const VALUES_OUT: readonly (readonly [string, unknown])[] = [
  ['9007199254740993::bigint', 9007199254740993n],
  ['count(*)', 1n],
  ['7::integer', 7],
  ['7::smallint', 7],
  ['1.50::numeric', '1.50'],
  [`'2026-02-28'::date`, '2026-02-28'],
  [`'2026-11-15 14:34:56.789+02'::timestamptz`, AT],
  [`'${ID}'::uuid`, ID],
  [`'text'::text`, 'text'],
  ['true', true],
  [`'{"a": [1, null]}'::json`, { a: [1, null] }],
  [`'"text"'::jsonb`, 'text'],
  [`'null'::json`, null],
  [`'\\x00ff'::bytea`, Buffer.from([0, 255])],
  ['null::bigint', null],
  ['array[1, null]::bigint[]', [1n, null]],
  [`array['a', null, 'b,"{}']`, ['a', null, 'b,"{}']],
  [`array['2026-02-28']::date[]`, ['2026-02-28']],
  [`array['${ID}']::uuid[]`, [ID]],
  [`array['2026-11-15 12:34:56.789Z']::timestamptz[]`, [AT]],
  [`'{}'::text[]`, []],
];

const VALUES_IN: readonly (readonly [string, SqlValue, unknown])[] = [
  ['bigint', 2n ** 62n, 2n ** 62n],
  ['bigint', 5, 5n],
  ['integer', 5n, 5],
  ['boolean', false, false],
  ['text', `it's "quoted" \\ and\nbroken`, `it's "quoted" \\ and\nbroken`],
  ['date', '2026-02-28', '2026-02-28'],
  ['timestamptz', AT, AT],
  ['numeric', '0.10', '0.10'],
  ['json', '{"b": 1, "a": 2}', { b: 1, a: 2 }],
  ['bytea', new Uint8Array([0, 255]), Buffer.from([0, 255])],
  ['uuid', ID.toUpperCase(), ID],
  ['text', null, null],
  ['bigint[]', [1n, null, -1n], [1n, null, -1n]],
  ['text[]', ['', 'NULL', null, 'a"b\\,{}', ' '], ['', 'NULL', null, 'a"b\\,{}', ' ']],
  ['timestamptz[]', [AT, null], [AT, null]],
  ['boolean[]', [true, null], [true, null]],
  ['uuid[]', [], []],
];

class Changed extends Error {}

/** What the schema would be after a statement that is then undone. */
async function dumpIn(db: Database, sql: string): Promise<string> {
  let schema = '';
  const work = db.inTx(async (tx) => {
    await tx.execute(sql);
    schema = await dumpSchema(tx);
    throw new Changed();
  });
  await expect(work).rejects.toThrow(Changed);
  return schema;
}

type Open = () => Promise<Database>;

const openServer: Open = async () => openPg({ url, poolSize: 8, statementTimeoutMs: 20_000 });

describe.each<[string, Open]>([
  ['a server', openServer],
  ['the engine of the simulation', openSimulated],
])('the database on %s', (_, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await db.execute('create table notes (note text primary key)');
    await db.execute('create table picky (id integer unique deferrable initially deferred)');
  });

  const notes = async () =>
    (await db.query<{ note: string }>('select note from notes order by note')).map((n) => n.note);

  it.each(VALUES_OUT)('gives %s as the port says', async (sql, value) => {
    expect(await db.query(`select ${sql} as value`)).toEqual([{ value }]);
  });

  it.each(VALUES_IN)('takes a value for %s: %o', async (type, value, comesBack) => {
    expect(await db.query(`select $1::${type} as value`, [value])).toEqual([{ value: comesBack }]);
  });

  it('has the schema of this program', async () => {
    expect(await dumpIn(db, 'drop table notes, picky')).toBe(await dumpSchema(untouched));
  });

  it('counts the rows that a statement touched', async () => {
    expect(await db.execute(`insert into notes values ('count 1'), ('count 2')`)).toBe(2);
    expect(await db.execute(`update notes set note = note where note = 'nobody'`)).toBe(0);
    expect(await db.execute(`insert into notes values ('count 1') on conflict do nothing`)).toBe(0);
    expect(await db.execute(`select note from notes where note like 'count%'`)).toBe(2);
    expect(await db.execute(`delete from notes where note like $1`, ['count%'])).toBe(2);
  });

  it('commits the work of a transaction and gives back its result', async () => {
    const result = await db.inTx(async (tx) => {
      await tx.execute('insert into notes values ($1)', ['committed']);
      return (await tx.query('select note from notes where note = $1', ['committed'])).length;
    });
    expect(result).toBe(1);
    expect(await notes()).toContain('committed');
  });

  it('rolls back when the work throws, and throws the same on', async () => {
    const changed = new Changed('changed my mind');
    const work = db.inTx(async (tx) => {
      await tx.execute(`insert into notes values ('rolled back')`);
      throw changed;
    });
    await expect(work).rejects.toBe(changed);
    expect(await notes()).not.toContain('rolled back');
  });

  it('throws what the database refuses with its SQLSTATE, and does nothing more in that transaction', async () => {
    await expect(db.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    const work = db.inTx(async (tx) => {
      await tx.execute(`insert into notes values ('before the fault')`);
      await expect(tx.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
      await expect(tx.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    });
    await expect(work).rejects.toThrow(BrokenInvariant);
    expect(await notes()).not.toContain('before the fault');
  });

  it('does not know the outcome when the commit is refused', async () => {
    const work = db.inTx((tx) => tx.execute('insert into picky values (1), (1)'));
    await expect(work).rejects.toThrow(CommitUnknown);
    expect(await db.query('select id from picky')).toEqual([]);
  });

  it('lets transactions that touch the same row follow each other', async () => {
    const WRITERS = 20;
    await db.execute('create table tally (id integer primary key, total bigint not null)');
    await db.execute('insert into tally values (1, 0)');
    const add = () =>
      db.inTx(async (tx) => {
        const [row] = await tx.query<{ total: bigint }>('select total from tally where id = 1 for update');
        await tx.execute('update tally set total = $1 where id = 1', [(row?.total ?? 0n) + 1n]);
      });
    await Promise.all(Array.from({ length: WRITERS }, add));
    expect(await db.query('select total from tally')).toEqual([{ total: BigInt(WRITERS) }]);
  });

  it('runs statements that were started together in the order in which they were started', async () => {
    const STATEMENTS = 20;
    await db.execute('create table steps (step integer primary key, before bigint not null)');
    const add = (tx: Tx, step: number) =>
      tx.execute('insert into steps select $1::integer, count(*) from steps', [step]);
    await db.inTx((tx) => Promise.all(Array.from({ length: STATEMENTS }, (__, step) => add(tx, step))));
    const rows = await db.query<{ step: number; before: bigint }>('select step, before from steps order by step');
    expect(rows).toEqual(Array.from({ length: STATEMENTS }, (__, step) => ({ step, before: BigInt(step) })));
  });

  it.each([0, 1, 2])('stores nothing when number %i of three statements started together fails', async (bad) => {
    const texts = [0, 1, 2].map((index) =>
      index === bad ? 'select 1 / 0' : `insert into notes values ('together ${bad} ${index}')`,
    );
    const work = db.inTx((tx) => Promise.all(texts.map((text) => tx.execute(text))));
    await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^(22012|25P02)$/) });
    expect((await notes()).filter((note) => note.startsWith('together'))).toEqual([]);
  });

  it('goes on after a fault as if nothing had been', async () => {
    await db.inTx((tx) => tx.query('select 1 / 0')).catch(() => undefined);
    await db.query('not sql at all').catch(() => undefined);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

/** The simulation has no notifications, and its database is never closed. */
describe('the database on a server', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openServer();
  });

  it('tells listeners what was committed, until they stop', async () => {
    const heard: string[] = [];
    const stop = await db.listen('Due "work"', (payload) => heard.push(payload));
    const say = (payload: string) => db.query('select pg_notify($1, $2)', ['Due "work"', payload]);
    await say('one');
    await db
      .inTx(async (tx) => {
        await tx.query('select pg_notify($1, $2)', ['Due "work"', 'never']);
        throw new Changed();
      })
      .catch(() => undefined);
    await db.query('select pg_notify($1, $2)', ['another', 'channel']);
    await db.inTx((tx) => tx.query('select pg_notify($1, $2)', ['Due "work"', 'two']));
    await expect.poll(() => heard).toEqual(['one', 'two']);
    await stop();
    await say('three');
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['one', 'two']);
  });

  it('is unavailable once it is closed', async () => {
    await db.close();
    await expect(db.query('select 1')).rejects.toThrow(DatabaseUnavailable);
    await expect(db.inTx(async () => 1)).rejects.toThrow(DatabaseUnavailable);
  });
});
