/**
 * Forward-only migrations: `server/migrations/NNNN_what_it_does.sql`, each in a transaction of its own, under one lock
 * so that several processes may start at once. A schema that is newer than the program, or a migration that was edited
 * after it ran, stops the program: both mean that it does not know what it is writing to.
 *
 * A migration that has to wait for a table gives up soon and tries again later: all calls that need the table queue
 * behind it for as long as it waits.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { assert } from '../kernel/assert.ts';
import { type Database, sqlState } from '../kernel/database.ts';
import { migrationsDirectory } from '../kernel/program-files.ts';
import { pgClientConfig } from './pg.ts';
import { makePatient } from './pg-session.ts';
import { refuseOtherEncoding } from './suitable.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** Somebody used a table for longer than we wait for it; the message says what to do. */
export class TableInUse extends Error {
  override readonly name = 'TableInUse';
}

interface MigrateOptions {
  /** Told each time a migration has to wait for a table. */
  readonly onWait?: (migration: string) => void;
  /** Between two tries, so that calls get through. */
  readonly pauseMs?: number;
  readonly maxTries?: number;
  /** For one lock. */
  readonly lockTimeoutMs?: number;
}

/** Shorter than the patience of callers, who wait as long. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';
const UNDEFINED_COLUMN = '42703';
/** A table or index, a type or constraint, a function. */
const NAME_TAKEN: readonly (string | undefined)[] = ['42P07', '42710', '42723'];
const HOW_TO_PART = 'Name a database in DATABASE_URL that no other program uses.';
/** With the waits themselves about five minutes. */
const PAUSE_MS = 3_000;
const MAX_TRIES = 60;

/** Any number will do, as long as every version of the program uses the same. */
const LOCK_KEY = 728_310_455;

export async function readMigrations(directory: string = migrationsDirectory()): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(files.map((file) => readMigration(directory, file)));
  migrations.forEach((migration, index) => {
    assert(migration.version === index + 1, `migrations are numbered without gaps: ${migration.name}`);
  });
  return migrations;
}

async function readMigration(directory: string, file: string): Promise<Migration> {
  const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
  assert(match?.[1], `a migration is named NNNN_what_it_does.sql: ${file}`);
  const sql = await readFile(join(directory, file), 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { version: Number(match[1]), name: file.slice(0, -'.sql'.length), sql, checksum };
}

/** Brings the schema up to date and returns the names of the migrations that were run now. */
export async function migrate(
  url: string,
  migrations?: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const known = migrations ?? (await readMigrations());
  const client = new pg.Client(pgClientConfig(url));
  await client.connect();
  try {
    await makePatient(client);
    const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
    refuseOtherEncoding(rows[0]?.server_encoding);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    return await runMigrations(client, known, options);
  } finally {
    await client.end();
  }
}

/**
 * For a program that only visits: throws SchemaMismatch where there is no schema, or a newer one, and changes nothing.
 */
export async function refuseOtherSchema(db: Pick<Database, 'query'>): Promise<void> {
  const [history] = await db.query<{ name: string | null }>(`select to_regclass('schema_migrations')::text as name`);
  if (!history?.name) throw new SchemaMismatch('the database is empty: no service was ever started on it');
  refuseMismatch(await readHistory((text) => db.query<Applied>(text)), await readMigrations());
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

/** Other programs keep a table of this name too, with other columns. */
async function readHistory(query: (text: string) => Promise<Applied[]>): Promise<Applied[]> {
  try {
    return await query('select version, name, checksum from schema_migrations order by version');
  } catch (fault) {
    if (sqlState(fault) !== UNDEFINED_COLUMN) throw fault;
    throw new SchemaMismatch(`the table schema_migrations in this database is not ours. ${HOW_TO_PART}`);
  }
}

/** What migrations need of a connection. A text without values may hold many statements. */
interface MigrationSession {
  query<Row extends object>(text: string, values?: (string | number)[]): Promise<{ rows: Row[] }>;
}

/** Runs what is missing on a session that nobody else migrates on at the same time. */
export async function runMigrations(
  session: MigrationSession,
  known: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  await createHistory(session);
  return runPending(session, known, options);
}

async function createHistory(session: MigrationSession): Promise<void> {
  await session.query(`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null
    )`);
}

async function runPending(
  session: MigrationSession,
  known: readonly Migration[],
  options: MigrateOptions,
): Promise<string[]> {
  const applied = await readHistory(async (text) => (await session.query<Applied>(text)).rows);
  refuseMismatch(applied, known);
  const pending = known.slice(applied.length);
  for (const migration of pending) await runPatiently(session, migration, options);
  return pending.map((migration) => migration.name);
}

/** What ran before must be exactly the beginning of what the program knows. */
function refuseMismatch(applied: readonly Applied[], known: readonly Migration[]): void {
  for (const row of applied) {
    const migration = known[row.version - 1];
    if (!migration) {
      throw new SchemaMismatch(
        `the database has migration ${row.name}, which this program does not know: it is newer than the program`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new SchemaMismatch(`migration ${row.name} was changed after it ran on this database`);
    }
  }
}

async function runPatiently(
  session: MigrationSession,
  migration: Migration,
  { onWait, pauseMs = PAUSE_MS, maxTries = MAX_TRIES, lockTimeoutMs = LOCK_TIMEOUT_MS }: MigrateOptions,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runOne(session, migration, lockTimeoutMs);
    } catch (fault) {
      if (!(fault instanceof Error) || sqlState(fault.cause) !== LOCK_NOT_AVAILABLE) throw fault;
      if (tries >= maxTries) throw inUse(migration, fault);
      onWait?.(migration.name);
      await sleep(pauseMs);
    }
  }
}

function inUse({ name }: Migration, fault: Error): TableInUse {
  return new TableInUse(
    `migration ${name} needs a table that somebody keeps, a dump for example. Nothing was changed: start again when that has ended.`,
    { cause: fault },
  );
}

async function runOne(session: MigrationSession, migration: Migration, lockTimeoutMs: number): Promise<void> {
  await session.query('begin');
  try {
    await session.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await session.query(migration.sql);
    await session.query(
      'insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, now())',
      [migration.version, migration.name, migration.checksum],
    );
    await session.query('commit');
  } catch (fault) {
    // A connection that is gone cannot roll back, and does not need to; the first fault is the one to show.
    await session.query('rollback').catch(() => undefined);
    throw isNameTaken(fault)
      ? taken(migration, fault)
      : new Error(`migration ${migration.name} failed`, { cause: fault });
  }
}

function isNameTaken(fault: unknown): fault is Error {
  return fault instanceof Error && NAME_TAKEN.includes(sqlState(fault));
}

/** The names of ours are free in a database of our own. */
function taken({ name }: Migration, { message }: Error): SchemaMismatch {
  return new SchemaMismatch(`migration ${name} failed, and nothing of it is left: ${message}. ${HOW_TO_PART}`);
}
