/** The embedded PostgreSQL, started by this process. By programs that are killed: embedded-postgres.test.ts. */
import { chmod, cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findBinaries } from '../../../server/src/storage/embedded/binaries.ts';
import { DataDirectoryInUse } from '../../../server/src/storage/embedded/directory-lock.ts';
import { chooseServerUser } from '../../../server/src/storage/embedded/unprivileged.ts';
import { EmbeddedServers, query } from '../../support/embedded-servers.ts';

const LIMIT_MS = 60_000;
const isRoot = process.getuid?.() === 0;

const embedded = await EmbeddedServers.make();
const { place, dataDir } = embedded;

beforeAll(async () => {
  const server = await embedded.start();
  await query(server, 'create table note (text text not null)');
  await query(server, "insert into note values ('kept')");
  await server.stop();
}, LIMIT_MS);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Stand before PostgreSQL's programs. Each ends itself the first time that it has work to do. */
async function programsInterruptedOnce(names: readonly string[]): Promise<string> {
  const user = await chooseServerUser(dataDir);
  const { directory } = await findBinaries({ user, major: undefined });
  const programs = path.join(place, 'programs');
  await mkdir(programs);
  // Whoever runs them makes a mark in it.
  await chmod(programs, 0o777);
  for (const name of names) {
    const file = path.join(programs, name);
    const isWork = `[ "$1" != --version ] && mkdir "${file}.ended" 2>/dev/null`;
    await writeFile(file, `#!/bin/sh\nif ${isWork}; then kill -INT $$; fi\nexec "${directory}/${name}" "$@"\n`);
    await chmod(file, 0o755);
  }
  return programs;
}

describe('the embedded PostgreSQL', { timeout: LIMIT_MS }, () => {
  it('keeps what was written over a stop and a start, in a database that is safe against power loss', async () => {
    const server = await embedded.start();
    expect(await query(server, 'select text from note')).toEqual(['kept']);
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'server_encoding'];
    const values = await query(server, `select ${settings.map((name) => `current_setting('${name}')`).join(', ')}`);
    expect(values).toEqual(['on', 'on', 'on', 'on', 'UTF8']);
    expect(server.adopted).toBe(false);
    expect(server.version).toMatch(/^\d+\.\d+/);
    await Promise.all([server.stop(), server.stop()]);
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.lock'))).toEqual([]);
    await expect(query(server, 'select 1')).rejects.toThrow();
  });

  it('hides the password and the database from other users of the machine', async () => {
    for (const name of ['postgres', 'socket', 'postgres.password', 'postgres.log']) {
      expect((await stat(path.join(dataDir, name))).mode & 0o077, name).toBe(0);
    }
  });

  it('gives a URL that connects to the same database', async () => {
    const server = await embedded.start();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query('select current_database() as database, current_user as role');
    await client.end();
    expect(rows).toEqual([{ database: 'payferry', role: 'payferry' }]);
    await server.stop();
  });

  it('is reached whatever the environment says of servers elsewhere', async () => {
    vi.stubEnv('PGSSLMODE', 'require');
    vi.stubEnv('PGOPTIONS', '-c statement_timeout=1');
    const server = await embedded.start();
    expect(await query(server, "select current_setting('statement_timeout')")).toEqual(['0']);
    await server.stop();
  });

  it('works in a directory whose name has commas and quotes', async () => {
    const odd = path.join(place, `o,d"d`);
    await cp(dataDir, odd, { recursive: true, filter: (source) => path.basename(source) !== 'socket' });
    const server = await embedded.start({ dataDir: odd });
    expect(await query(server, 'select text from note')).toEqual(['kept']);
    await server.stop();
  });

  it('refuses a second program and names the first', async () => {
    const server = await embedded.start();
    const second = embedded.start();
    await expect(second).rejects.toThrow(DataDirectoryInUse);
    await expect(second).rejects.toThrow(`pid ${process.pid}`);
    expect(await query(server, 'select text from note')).toEqual(['kept']);
    await server.stop();
  });

  it('starts the server again when it is killed', async () => {
    const server = await embedded.startAndKill();
    expect(server.adopted).toBe(false);
    expect(await query(server, 'select text from note')).toEqual(['kept']);
    await server.stop();
  });

  it('removes a process id file that names a living program which is no server', async () => {
    const file = path.join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(file, `${process.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}/socket\n\n1 1\nready\n`);
    const server = await embedded.start();
    expect(server.adopted).toBe(false);
    await server.stop();
  });

  // As a child finds itself that was being made at the moment of a Ctrl-C: ended before it has begun.
  it.skipIf(process.platform === 'win32')(
    'starts its programs again that a Ctrl-C ended before they had begun',
    async () => {
      const programs = await programsInterruptedOnce(['initdb', 'postgres']);
      vi.stubEnv('PAYFERRY_POSTGRES_BIN', programs);
      const server = await embedded.start({ dataDir: path.join(place, 'interrupted') });
      expect(await query(server, 'select 1')).toEqual([1]);
      await server.stop();
      expect((await readdir(programs)).filter((name) => name.endsWith('.ended'))).toHaveLength(2);
    },
  );

  it('says why the server did not start, and leaves the directory free', async () => {
    await expect(embedded.start({ serverSettings: { shared_buffers: 'much' } })).rejects.toThrow(
      /shared_buffers.*much/,
    );
    await expect(embedded.start({ serverSettings: { 'a b': '1' } })).rejects.toThrow(
      'not the name of a PostgreSQL setting',
    );
    const server = await embedded.start({ serverSettings: { max_connections: '17' } });
    expect(await query(server, 'show max_connections')).toEqual(['17']);
    await server.stop();
  });

  it('works in a directory that was copied, on a loopback port when its name is too long for a socket', async () => {
    const long = path.join(place, 'long'.repeat(30));
    await cp(dataDir, long, { recursive: true, filter: (source) => path.basename(source) !== 'socket' });
    const server = await embedded.start({ dataDir: long });
    expect(await query(server, 'select text from note')).toEqual(['kept']);
    expect(server.connection.host).toBe('127.0.0.1');
    expect(await query(server, 'show listen_addresses')).toEqual(['127.0.0.1']);
    const wrong = { connection: { ...server.connection, password: 'guess' } };
    await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
    await server.stop();
  });

  it.runIf(isRoot)('runs as another user when we are root, also inside a private home', async () => {
    const home = path.join(place, 'home');
    await mkdir(home, { mode: 0o700 });
    const directory = path.join(home, 'data');
    const server = await embedded.start({ dataDir: directory });
    expect((await stat(path.join(directory, 'postgres'))).uid).not.toBe(0);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect(await query(server, 'select 1')).toEqual([1]);
    await server.stop();
  });
});
