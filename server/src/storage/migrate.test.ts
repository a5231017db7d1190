import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { databaseUrl } from '../../../test/support/database-url.ts';
import { type Migration, migrate, readMigrations, SchemaMismatch, TableInUse } from './migrate.ts';

let made = 0;

/** A database in which nothing was ever done. */
async function emptyDatabase(): Promise<string> {
  made += 1;
  const name = `${inject('templateName')}_${process.pid}_empty_${made}`;
  await run(inject('serverUrl'), `create database ${name}`);
  return databaseUrl(inject('serverUrl'), name);
}

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const migration = (version: number, sql: string): Migration => ({
  version,
  name: `000${version}_step`,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});

const history = (url: string) => run(url, 'select version, name from schema_migrations order by version');
const tableNamed = (url: string, name: string) => run(url, `select to_regclass('${name}')::text as found`);

const FIRST = migration(1, 'create table first (id integer)');
const SECOND = migration(2, 'create table second (id integer); insert into second values (1)');

describe('migrations', () => {
  it('take an empty database to the newest schema, and then there is nothing to do', async () => {
    const url = await emptyDatabase();
    const names = (await readMigrations()).map(({ name }) => name);
    expect(await migrate(url)).toEqual(names);
    expect(await migrate(url)).toEqual([]);
    expect(await history(url)).toEqual(names.map((name, index) => ({ version: index + 1, name })));
  });

  it('add only what is new', async () => {
    const url = await emptyDatabase();
    expect(await migrate(url, [FIRST])).toEqual(['0001_step']);
    expect(await migrate(url, [FIRST, SECOND])).toEqual(['0002_step']);
    expect(await run(url, 'select id from second')).toEqual([{ id: 1 }]);
  });

  it('do not keep others waiting behind a table that somebody reads for long, and go on once it is free', async () => {
    const url = await emptyDatabase();
    await migrate(url, [FIRST]);
    const change = migration(2, 'alter table first add column name text');
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    onTestFinished(() => reader.end());
    await reader.query('begin; lock table first in access share mode');
    const waited: string[] = [];
    const onWait = async (name: string) => {
      waited.push(name);
      // It waits for the table no more: another one can read it.
      expect(await run(url, 'select id from first')).toEqual([]);
      await reader.query('commit');
    };
    expect(await migrate(url, [FIRST, change], { onWait, pauseMs: 500, lockTimeoutMs: 100 })).toEqual(['0002_step']);
    expect(waited).toEqual(['0002_step']);
  });

  it('say what keeps them when the table is never free, and leave everything as it was', async () => {
    const url = await emptyDatabase();
    await migrate(url, [FIRST]);
    const change = migration(2, 'create table second (id integer); drop table first');
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    onTestFinished(() => reader.end());
    await reader.query('begin; lock table first in access share mode');
    const trying = migrate(url, [FIRST, change], { pauseMs: 1, maxTries: 2, lockTimeoutMs: 100 });
    await expect(trying).rejects.toThrow(TableInUse);
    await expect(trying).rejects.toThrow('0002_step needs a table that somebody keeps');
    expect(await history(url)).toEqual([{ version: 1, name: '0001_step' }]);
    expect(await tableNamed(url, 'second')).toEqual([{ found: null }]);
  });

  it('are run once when several processes start at the same moment', async () => {
    const url = await emptyDatabase();
    const PROCESSES = 4;
    const ran = await Promise.all(Array.from({ length: PROCESSES }, () => migrate(url, [FIRST, SECOND])));
    expect(ran.filter((names) => names.length > 0)).toEqual([['0001_step', '0002_step']]);
    expect(await run(url, 'select id from second')).toEqual([{ id: 1 }]);
  });

  it('take the time that they need, and wait for each other, whatever time limits the database has', async () => {
    const url = await emptyDatabase();
    for (const limit of ['statement_timeout', 'lock_timeout']) {
      const sql = `alter database %I set ${limit} to '20ms'`;
      await run(url, `do $$ begin execute format($sql$${sql}$sql$, current_database()); end $$`);
    }
    const slow = [migration(1, 'select pg_sleep(0.3)')];
    const ran = await Promise.all([migrate(url, slow), migrate(url, slow)]);
    expect(ran.flat()).toEqual(['0001_step']);
  });

  it('are refused on a schema that is newer than the program', async () => {
    const url = await emptyDatabase();
    await migrate(url, [FIRST, SECOND]);
    await expect(migrate(url, [FIRST])).rejects.toThrow(SchemaMismatch);
    await expect(migrate(url, [FIRST])).rejects.toThrow('newer than the program');
  });

  it('are refused when one of them was edited after it ran', async () => {
    const url = await emptyDatabase();
    await migrate(url, [FIRST]);
    const edited = migration(1, `${FIRST.sql};`);
    await expect(migrate(url, [edited, SECOND])).rejects.toThrow(SchemaMismatch);
    await expect(migrate(url, [edited, SECOND])).rejects.toThrow('0001_step was changed after it ran');
    expect(await tableNamed(url, 'second')).toEqual([{ found: null }]);
  });

  it('that fail leave nothing of themselves, and all that came before', async () => {
    const url = await emptyDatabase();
    const failing = migration(2, 'create table half (id integer); select 1 / 0');
    await expect(migrate(url, [FIRST, failing])).rejects.toThrow('migration 0002_step failed');
    expect(await history(url)).toEqual([{ version: 1, name: '0001_step' }]);
    expect(await tableNamed(url, 'half')).toEqual([{ found: null }]);
    expect(await migrate(url, [FIRST, SECOND])).toEqual(['0002_step']);
  });

  it('say that another program uses the database when a name of theirs is taken, and leave its table alone', async () => {
    const url = await emptyDatabase();
    await run(url, 'create table second (theirs text)');
    const trying = migrate(url, [FIRST, SECOND]);
    await expect(trying).rejects.toThrow(SchemaMismatch);
    await expect(trying).rejects.toThrow(
      'migration 0002_step failed, and nothing of it is left: relation "second" already exists. Name a database in',
    );
    expect(await run(url, 'select theirs from second')).toEqual([]);
  });

  it('are refused beside those of another program, which keeps a history of the same name', async () => {
    const url = await emptyDatabase();
    await run(url, 'create table schema_migrations (version text primary key)');
    const trying = migrate(url, [FIRST]);
    await expect(trying).rejects.toThrow(SchemaMismatch);
    await expect(trying).rejects.toThrow('schema_migrations in this database is not ours. Name a database in');
    expect(await tableNamed(url, 'first')).toEqual([{ found: null }]);
  });

  it('give the lock back when they fail, so that the next process can try', async () => {
    const url = await emptyDatabase();
    await expect(migrate(url, [migration(1, 'select 1 / 0')])).rejects.toThrow('0001_step failed');
    expect(await migrate(url, [FIRST])).toEqual(['0001_step']);
  });
});

describe('the files of migrations', () => {
  async function directoryWith(...files: string[]): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'payferry-migrations-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    for (const file of files) await writeFile(join(directory, file), 'select 1');
    return directory;
  }

  it('are read in the order of their numbers', async () => {
    const found = await readMigrations(await directoryWith('0002_more.sql', '0001_base.sql', 'notes.txt'));
    expect(found.map(({ version, name }) => [version, name])).toEqual([
      [1, '0001_base'],
      [2, '0002_more'],
    ]);
  });

  it.each([
    ['a gap', ['0001_base.sql', '0003_more.sql'], 'numbered without gaps'],
    ['a number twice', ['0001_base.sql', '0001_more.sql'], 'numbered without gaps'],
    ['a name without a number', ['base.sql'], 'NNNN_what_it_does.sql'],
    ['a name with capital letters', ['0001_Base.sql'], 'NNNN_what_it_does.sql'],
  ])('are refused with %s', async (_, files, message) => {
    await expect(readMigrations(await directoryWith(...files))).rejects.toThrow(message);
  });

  it('each begin with the reason for it', async () => {
    for (const { name, sql } of await readMigrations()) expect([name, sql.slice(0, 8)]).toEqual([name, '-- Why: ']);
  });
});
