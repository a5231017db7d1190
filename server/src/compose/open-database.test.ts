import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { databaseUrl } from '../../../test/support/database-url.ts';
import { DatabaseUnavailable } from '../kernel/database.ts';
import { silentLog } from '../kernel/log.ts';
import { loadSettings } from '../settings/load.ts';
import { migrate, readMigrations, SchemaMismatch } from '../storage/migrate.ts';
import { DatabaseUnsuitable } from '../storage/suitable.ts';
import { DatabaseNotReached, type OpenDatabaseOptions, openDatabase } from './open-database.ts';

const place = await mkdtemp(join(tmpdir(), 'payferry-open-'));
afterAll(() => rm(place, { recursive: true, force: true }));

let databases = 0;

/** The address of a new database without a schema, on the server of the test run. */
async function emptyDatabase(how = ''): Promise<string> {
  databases += 1;
  const name = `${inject('templateName')}_open_${process.pid}_${databases}`;
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(`create database ${name} ${how}`);
  await client.end();
  // Where the socket stands in the query, a host before it makes the address a URL too.
  return databaseUrl(inject('serverUrl'), name).replace('@/', '@localhost/');
}

function optionsFor(url: string, progress: string[]): OpenDatabaseOptions {
  const loaded = loadSettings({ flags: { data: join(place, 'data') }, env: { DATABASE_URL: url }, directory: place });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  return {
    settings: loaded.settings,
    log: silentLog,
    onProgress: (text) => progress.push(text),
    onLost: (reason) => {
      throw new Error(reason);
    },
  };
}

describe('a database that DATABASE_URL names', () => {
  it('is used as it is, with its schema brought up to date, and no server of our own is started', async () => {
    const url = await emptyDatabase();
    const progress: string[] = [];
    const opened = await openDatabase(optionsFor(url, progress));
    expect(opened.isOurs).toBe(false);
    expect(await opened.db.query('select current_database()::text as name')).toEqual([
      { name: /\/(payferry_[^?]+)/.exec(url)?.[1] },
    ]);
    expect(await opened.db.query('select count(*) as accounts from accounts')).toEqual([{ accounts: 0n }]);
    expect(progress).toEqual([expect.stringMatching(/^the schema is up to date \(\d+ migrations\)$/)]);
    await expect(access(join(place, 'data'))).rejects.toThrow('ENOENT');
    await opened.close();
    await expect(opened.db.query('select 1 as one')).rejects.toThrow(DatabaseUnavailable);
  });

  it('is not migrated twice, and stays when the program closes it', async () => {
    const url = await emptyDatabase();
    await (await openDatabase(optionsFor(url, []))).close();
    const progress: string[] = [];
    await (await openDatabase(optionsFor(url, progress))).close();
    expect(progress).toEqual([]);
  });

  it('is refused when its schema is newer than the program', async () => {
    const url = await emptyDatabase();
    const opened = await openDatabase(optionsFor(url, []));
    await opened.db.execute(`insert into schema_migrations values (9999, '9999_later', 'x', $1)`, [new Date()]);
    await opened.close();
    await expect(openDatabase(optionsFor(url, []))).rejects.toThrow(SchemaMismatch);
  });

  it.each(['SQL_ASCII', 'LATIN1'])('is refused when its encoding is %s, and stays empty', async (encoding) => {
    const url = await emptyDatabase(`encoding '${encoding}' locale 'C' template template0`);
    const progress: string[] = [];
    await expect(openDatabase(optionsFor(url, progress))).rejects.toThrow(
      new DatabaseUnsuitable(
        `The encoding of this database is ${encoding}. Name one that was made with \`create database ... encoding 'UTF8' template template0\`.`,
      ),
    );
    expect(progress).toEqual([]);
  });

  it('belongs to the mode of the first process: one in the other mode does not start', async () => {
    const url = await emptyDatabase();
    const opened = await openDatabase(optionsFor(url, []));
    expect(await opened.db.query('select mode from installation')).toEqual([{ mode: 'sandbox' }]);
    await opened.db.execute(`update installation set mode = 'live'`);
    await opened.close();
    await expect(openDatabase(optionsFor(url, []))).rejects.toThrow(
      new DatabaseUnsuitable(
        'This database belongs to a live service, and mode is sandbox. Set mode (PAYFERRY_MODE) to live, or name another database.',
      ),
    );
  });

  describe('that a program may not run on', () => {
    /** The database of a service that runs an earlier version. */
    async function older(mode: string): Promise<{ url: string; migrationsIn: () => Promise<unknown[]> }> {
      const url = await emptyDatabase();
      await migrate(url, (await readMigrations()).slice(0, -1));
      const asked = async (sql: string): Promise<unknown[]> => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        const { rows } = await client.query(sql);
        await client.end();
        return rows;
      };
      await asked(`insert into installation (id, mode) values (1, '${mode}')`);
      return { url, migrationsIn: () => asked('select version from schema_migrations order by version') };
    }

    it('keeps the schema that others run on when it belongs to the other mode', async () => {
      const { url, migrationsIn } = await older('live');
      const before = await migrationsIn();
      await expect(openDatabase(optionsFor(url, []))).rejects.toThrow(DatabaseUnsuitable);
      expect(await migrationsIn()).toEqual(before);
    });

    it('keeps it as well when the caller refuses it', async () => {
      const { url, migrationsIn } = await older('sandbox');
      const before = await migrationsIn();
      const beforeChange = () => Promise.reject(new Error('another key'));
      await expect(openDatabase({ ...optionsFor(url, []), beforeChange })).rejects.toThrow('another key');
      expect(await migrationsIn()).toEqual(before);
    });
  });

  it.each([
    ['nobody listens', 'postgresql://payferry:hidden@127.0.0.1:1/payferry', 'ECONNREFUSED'],
    [
      'there is no such database',
      databaseUrl(inject('serverUrl'), 'no_such_one').replace('@/', '@localhost/'),
      'exist',
    ],
    [
      'it is asked for TLS, which the server does not have',
      `${databaseUrl(inject('serverUrl'), 'postgres').replace('@/', '@localhost/')}&sslmode=verify-full`,
      'The server does not support SSL connections',
    ],
  ])('that cannot be used because %s is told in one sentence, without its password', async (_why, url, reason) => {
    const fault = await openDatabase(optionsFor(url, [])).catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(DatabaseNotReached);
    expect(String(fault)).toMatch(/^DatabaseNotReached: The database cannot be used: .*\. Is DATABASE_URL right\?$/);
    expect(String(fault)).toContain(reason);
    expect(String(fault)).not.toContain('hidden');
  });
});
