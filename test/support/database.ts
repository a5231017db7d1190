/** A fresh database for a test file, cloned from the migrated template. */
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { openPg, type PgDatabase } from '../../server/src/storage/pg.ts';
import { databaseUrl } from './database-url.ts';

const POOL_SIZE = 8;
const STATEMENT_TIMEOUT_MS = 20_000;

interface TestDatabase {
  readonly db: PgDatabase;
  readonly url: string;
}

/** Call it at the top of a test file or describe block; the database is closed when that ends. */
export async function freshDatabase(how: { readonly isDistributed?: boolean } = {}): Promise<TestDatabase> {
  const url = await createFromTemplate();
  const db = openPg({ url, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...how });
  afterAll(() => db.close());
  return { db, url };
}

let made = 0;

async function createFromTemplate(): Promise<string> {
  made += 1;
  const template = inject('templateName');
  const name = `${template}_${process.pid}_${made}`;
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  // Two clones of one template at once are refused by the server, so the test processes take turns.
  await client.query('select pg_advisory_lock(1)');
  // Copying files takes half as long as writing every page to the log, which nobody will read.
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  await client.end();
  return databaseUrl(inject('serverUrl'), name);
}
