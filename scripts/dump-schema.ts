/**
 * Writes server/schema.txt: the schema after all migrations, as storage/schema-dump.ts describes it. Run by
 * `npm run docs`. It uses a database of its own, on the server that DATABASE_URL names or on an embedded one.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../server/src/storage/embedded/supervisor.ts';
import { migrate } from '../server/src/storage/migrate.ts';
import { openPg } from '../server/src/storage/pg.ts';
import { dumpSchema, SCHEMA_FILE_HEAD } from '../server/src/storage/schema-dump.ts';
import { databaseUrl } from '../test/support/database-url.ts';

const STATEMENT_TIMEOUT_MS = 30_000;

async function withServer(work: (url: string) => Promise<void>): Promise<void> {
  const given = process.env['DATABASE_URL'];
  if (given) return work(given);
  const dataDir = await mkdtemp(join(tmpdir(), 'payferry-schema-'));
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    await work(server.url);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function dumpFresh(serverUrl: string): Promise<void> {
  const name = `payferry_schema_${process.pid}`;
  await administer(serverUrl, `create database ${name}`);
  const url = databaseUrl(serverUrl, name);
  try {
    await migrate(url);
    const db = openPg({ url, poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    const text = await dumpSchema(db);
    await db.close();
    await writeFile(new URL('../server/schema.txt', import.meta.url), SCHEMA_FILE_HEAD + text);
  } finally {
    await administer(serverUrl, `drop database ${name} with (force)`);
  }
}

await withServer(dumpFresh);
console.log('server/schema.txt written');
