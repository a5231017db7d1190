/**
 * One PostgreSQL for the whole test run: an embedded server in a temporary directory, or the one that DATABASE_URL
 * names. The schema is migrated once into a template; each test file gets a database of its own cloned from it. The
 * program is compiled first, where that is needed: tests of the command line run it as users do.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../server/src/storage/embedded/supervisor.ts';
import { migrate } from '../../server/src/storage/migrate.ts';
import { databaseUrl } from './database-url.ts';
import { THROW_AWAY } from './throw-away.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    templateName: string;
  }
}

const BUILD = fileURLToPath(new URL('../../scripts/build.js', import.meta.url));

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { status } = spawnSync(process.execPath, [BUILD], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the program could not be compiled');
  const server = await startServer();
  const templateName = `payferry_template_${process.pid}`;
  await administer(server.url, `create database ${templateName}`);
  await migrate(databaseUrl(server.url, templateName));
  project.provide('serverUrl', server.url);
  project.provide('templateName', templateName);
  return async () => {
    await dropTestDatabases(server.url, templateName);
    await server.stop();
  };
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, stop: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'payferry-test-'));
  const server = await startEmbeddedPostgres({ dataDir, serverSettings: THROW_AWAY });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Against a server that stays, leave nothing behind. */
async function dropTestDatabases(url: string, templateName: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    `${templateName}%`,
  ]);
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}
