/** Finds out by a real connection whether the server takes work, and makes the database in it when there is none. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DATABASE, type EmbeddedConnection } from './connection.ts';
import { codeOf, EmbeddedPostgresFault, messageOf } from './faults.ts';
import type { ServerEnd, ServerProcess } from './server-process.ts';

/** The process is gone; nothing will become ready. */
export class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
  readonly end: ServerEnd;

  constructor(end: ServerEnd) {
    super(end.how);
    this.end = end;
  }
}

/** The process lives and does not take connections within the limit. */
export class ServerNotReady extends EmbeddedPostgresFault {
  override readonly name = 'ServerNotReady';
}

const POLL_MS = 10;
const CONNECT_LIMIT_MS = 5_000;
const QUERY_LIMIT_MS = 60_000;
const REPORT_EVERY_MS = 5_000;

/** Nobody listens yet, or the server says that it is starting, recovering, stopping, or full. */
const NOT_YET = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03', '53300']);
const NO_SUCH_DATABASE = '3D000';
const DATABASE_EXISTS = '42P04';
/** The database that initdb makes, used only to make ours. */
const MAINTENANCE_DATABASE = 'postgres';

interface ReadyOptions {
  readonly limitMs: number;
  readonly onProgress: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Waits for the first answered query and gives back the version of the server. */
export async function waitUntilReady(
  connection: EmbeddedConnection,
  server: ServerProcess,
  options: ReadyOptions,
): Promise<string> {
  const startedMs = performance.now();
  let reportAtMs = startedMs + REPORT_EVERY_MS;
  for (;;) {
    const answer = await ask(connection);
    if (answer.version !== undefined) return answer.version;
    options.signal?.throwIfAborted();
    if (server.hasExited()) throw new ServerEnded(await server.exited);
    const nowMs = performance.now();
    if (nowMs - startedMs > options.limitMs) {
      throw new ServerNotReady(`PostgreSQL (pid ${server.pid}) takes no connections: ${answer.reason}`);
    }
    if (nowMs > reportAtMs) {
      options.onProgress(`waiting for PostgreSQL: ${answer.reason}`);
      reportAtMs = nowMs + REPORT_EVERY_MS;
    }
    await sleep(POLL_MS);
  }
}

type Answer = { readonly version: string } | { readonly version?: undefined; readonly reason: string };

async function ask(connection: EmbeddedConnection): Promise<Answer> {
  try {
    return { version: await askVersion(connection) };
  } catch (fault) {
    const code = codeOf(fault);
    if (code === NO_SUCH_DATABASE) {
      await createDatabase(connection);
      return { reason: 'the database has just been made' };
    }
    // The driver's own time-out carries no code: a server that is there and silent may yet wake up.
    if (code === undefined || NOT_YET.has(code)) return { reason: messageOf(fault) };
    throw new EmbeddedPostgresFault(`PostgreSQL does not accept this program: ${messageOf(fault)}`);
  }
}

async function askVersion(connection: EmbeddedConnection): Promise<string> {
  return withClient(connection, async (client) => {
    const result = await client.query<{ version: string }>("select current_setting('server_version') as version");
    return result.rows[0]?.version.split(' ')[0] ?? 'unknown';
  });
}

async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  await withClient({ ...connection, database: MAINTENANCE_DATABASE }, async (client) => {
    await client.query(`create database ${DATABASE}`).catch((fault: unknown) => {
      if (codeOf(fault) !== DATABASE_EXISTS) throw fault;
    });
  });
}

async function withClient<T>(connection: EmbeddedConnection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const limits = { connectionTimeoutMillis: CONNECT_LIMIT_MS, query_timeout: QUERY_LIMIT_MS };
  const client = new pg.Client({ ...connection, ...limits });
  // A connection that breaks between two queries is told here; the query that follows fails with the reason.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
