/**
 * The Database port on the `pg` driver. Each statement text is prepared once per connection under a name of its own,
 * and every fault is put into one of three kinds: nothing happened (DatabaseUnavailable), it may have happened
 * (CommitUnknown), or the database refused a statement (its own error, with a SQLSTATE).
 */
import type { Writable } from 'node:stream';
import pg from 'pg';
import { assert } from '../kernel/assert.ts';
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  type SqlValue,
  sqlState,
  type Tx,
} from '../kernel/database.ts';
import { endsWithin } from '../kernel/deadline.ts';
import { sendRows } from './pg-copy.ts';
import { listenOn } from './pg-listen.ts';
import { copyMessages } from './pg-rows.ts';
import { makeOurs } from './pg-session.ts';
import { Statements } from './pg-statements.ts';

interface PgOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  /**
   * How long a transaction may wait for its next statement before the server ends its session, and frees its rows: a
   * process that was put to sleep would keep them for ever. Not set: without an end, as tools and tests may need it.
   */
  readonly idleInTxTimeoutMs?: number;
  /** Told about connections that break while idle; the pool replaces them by itself. */
  readonly onIdleFault?: (fault: Error) => void;
  /** Whether tenants are spread over several servers, which then need to be told the tenant in every statement. */
  readonly isDistributed?: boolean;
  /** How long a connection keeps its plans; a test passes its own. */
  readonly plansKeptMs?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const FAREWELL_MS = 2_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * The server keeps the plan of a statement for as long as it sees no reason to make another: planned for a nearly empty
 * table, a look-up by key reads that table whole, also when it has become large meanwhile. So each connection forgets
 * its plans from time to time, which costs a few milliseconds.
 */
const PLANS_KEPT_MS = 10_000;

/** A statement that the server should have canceled this long ago has no server any more. */
const ANSWER_MARGIN_MS = 2_000;

/**
 * How long an answer is waited for, behind so many statements that are under way: the server begins with one at a time.
 */
function patienceFor(statements: number, statementTimeoutMs: number): number {
  return statements * statementTimeoutMs + ANSWER_MARGIN_MS;
}

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const DATE_ARRAY = 1182;
const TEXT_ARRAY: number = 1009;
const TIMESTAMPTZ: number = 1184;

/** int8 as bigint, because amounts must not pass through a double; dates as text, because they have no time zone. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return BigInt;
    if (oid === INT8_ARRAY) return bigints;
    if (oid === DATE) return String;
    if (oid === TIMESTAMPTZ) return instant;
    if (oid === DATE_ARRAY) return pg.types.getTypeParser(TEXT_ARRAY);
    return pg.types.getTypeParser(oid, format ?? 'text');
  },
};

/** `2026-11-15 21:07:03.123+00` is ISO 8601 but for two characters; whatever looks otherwise is left to the driver. */
function instant(text: string): Date {
  const isPlain = text.charAt(4) === '-' && text.at(-3) === '+';
  if (!isPlain) return pg.types.getTypeParser(TIMESTAMPTZ)(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`);
}

function bigints(text: string): (bigint | null)[] {
  const texts: (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY)(text);
  return texts.map((element) => (element === null ? null : BigInt(element)));
}

/**
 * Statements that are started together (`Promise.all`) are sent without waiting for each other's answers, and run in
 * the order in which they were started. The driver has the option; its types do not know it yet.
 */
const PIPELINED: object = { pipeline: true };

export function pgClientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'payferry',
    // The driver's own type is wider than what it calls; this is its documented shape.
    types: types as pg.CustomTypesConfig,
    ...PIPELINED,
  };
}

export interface PgDatabase extends Database {
  /** How the pool stands: all connections, those at rest, and callers that wait for one. */
  pool(): { total: number; idle: number; waiting: number };
}

export function openPg(options: PgOptions): PgDatabase {
  const pool = new pg.Pool({
    ...pgClientConfig(options.url),
    max: options.poolSize,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: patienceFor(1, options.statementTimeoutMs),
    idle_in_transaction_session_timeout: options.idleInTxTimeoutMs,
    // Waited for by the pool: nobody gets a session that is not ours yet.
    onConnect: makeOurs,
  });
  // A connection that breaks while in use says so twice: to whoever waits for its statement, and here. Without a
  // listener the second would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (fault) => {
    if (!pool.ending) options.onIdleFault?.(fault);
  });
  const close = closerOf(pool);
  const { statementTimeoutMs: usualMs, plansKeptMs = PLANS_KEPT_MS } = options;
  const statements = new Statements(options.isDistributed ?? false);
  return {
    query: (text, values) => withClient(pool, (client) => queriesOn(client, statements, usualMs).query(text, values)),
    execute: (text, values) =>
      withClient(pool, (client) => queriesOn(client, statements, usualMs).execute(text, values)),
    inTx: (work, { statementTimeoutMs, seesOneMoment = false } = {}) =>
      inTx({ pool, statements, plansKeptMs, usualMs, statementTimeoutMs, seesOneMoment }, work),
    listen: (channel, onNotify) => listenOn(pgClientConfig(options.url), channel, onNotify),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close,
  };
}

/**
 * The pool says that it has ended as soon as it has told its connections to end. Whoever stops the server next would
 * end some of them in the middle of their farewell. One to a server that is away never ends, and is waited for no
 * longer.
 */
function closerOf(pool: pg.Pool): () => Promise<void> {
  const ends = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const end = new Promise<void>((resolve) => client.once('end', resolve)).then(() => {
      ends.delete(end);
    });
    ends.add(end);
  });
  return async () => {
    await pool.end();
    await endsWithin(FAREWELL_MS, Promise.all(ends));
  };
}

interface TxParts {
  readonly pool: pg.Pool;
  readonly statements: Statements;
  readonly plansKeptMs: number;
  /** How long a statement may take unless this transaction says otherwise. */
  readonly usualMs: number;
  readonly statementTimeoutMs: number | undefined;
  readonly seesOneMoment: boolean;
}

const BEGIN = 'begin';
const BEGIN_WITH_ONE_MOMENT = 'begin isolation level repeatable read, read only';

async function inTx<T>(
  { pool, statements, plansKeptMs, usualMs, statementTimeoutMs, seesOneMoment }: TxParts,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  const open: OpenTx = { isOpen: true, firstFault: undefined };
  let result: T;
  try {
    // Not within the transaction: it would begin to see the database with that.
    const forgotten = hasOldPlans(client, plansKeptMs) ? client.query('discard plans') : undefined;
    // Waited for: should it fail, statements sent along with it would be committed one by one.
    const begun = client.query(seesOneMoment ? BEGIN_WITH_ONE_MOMENT : BEGIN);
    await Promise.all([forgotten, begun, allow(client, statementTimeoutMs)]);
    result = await work(txOn(queriesOn(client, statements, statementTimeoutMs ?? usualMs), open));
  } catch (fault) {
    open.isOpen = false;
    const classified = classify(originOf(fault, open));
    await giveBackAfterFault(client, classified);
    throw classified;
  }
  open.isOpen = false;
  await commit(client);
  return result;
}

/** For the transaction that was just begun; the driver is told with each statement. */
function allow(client: pg.PoolClient, statementTimeoutMs: number | undefined): Promise<unknown> | undefined {
  if (statementTimeoutMs === undefined) return undefined;
  return client.query(`set local statement_timeout = ${statementTimeoutMs}`);
}

/** A transaction that is under way. */
interface OpenTx {
  isOpen: boolean;
  /** Of its statements, in the order in which they were started: what made all later ones fail. */
  firstFault: unknown;
}

/**
 * Behind a statement that failed nothing is done any more, and a statement that was to be prepared there is not known.
 */
const IN_FAILED_TRANSACTION = '25P02';
const UNKNOWN_STATEMENT = '26000';

/**
 * Of statements that were started together one behind the one that failed may be heard first, by whoever waits for it
 * through fewer steps. It only says that another has failed, and what follows depends on how that one did.
 */
function originOf(fault: unknown, { firstFault }: OpenTx): unknown {
  const state = sqlState(fault);
  return state === IN_FAILED_TRANSACTION || state === UNKNOWN_STATEMENT ? (firstFault ?? fault) : fault;
}

const plannedAtMs = new WeakMap<pg.PoolClient, number>();

function hasOldPlans(client: pg.PoolClient, keptMs: number): boolean {
  const nowMs = performance.now();
  const fromMs = plannedAtMs.get(client);
  if (fromMs !== undefined && nowMs - fromMs < keptMs) return false;
  plannedAtMs.set(client, nowMs);
  return fromMs !== undefined;
}

/** After COMMIT is on its way, only a clear success is a success: see "Faults" in docs/architecture.md. */
async function commit(client: pg.PoolClient): Promise<void> {
  let command: string;
  try {
    command = (await client.query('commit')).command;
  } catch (fault) {
    client.release(true);
    throw new CommitUnknown('no clear answer to COMMIT', { cause: fault });
  }
  client.release();
  // The server says ROLLBACK here when a statement had failed and the work hid it. That is clear: nothing happened.
  assert(command === 'COMMIT', 'a transaction with a failed statement reached its commit');
}

/** Rolls back and keeps the connection; where that cannot be done the connection is thrown away. */
async function giveBackAfterFault(client: pg.PoolClient, fault: unknown): Promise<void> {
  if (fault instanceof DatabaseUnavailable) {
    client.release(true);
    return;
  }
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}

type Queries = Pick<Tx, 'query' | 'execute' | 'copy'>;

function queriesOn(client: pg.PoolClient, statements: Statements, statementTimeoutMs: number): Queries {
  let underWay = 0;
  /** The driver has the option; its types do not know it. It counts from when a statement is sent. */
  const begin = () => {
    underWay += 1;
    sendTogether(client.connection.stream);
    return { query_timeout: patienceFor(underWay, statementTimeoutMs) };
  };
  const end = () => {
    underWay -= 1;
  };
  const ask = async <Row extends object>(text: string, values: readonly SqlValue[] | undefined) => {
    const patience = begin();
    try {
      return await client.query<Row>(Object.assign(statements.with(text, values), patience));
    } finally {
      end();
    }
  };
  return {
    query: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
      (await ask<Row>(text, values)).rows,
    execute: async (text, values) => (await ask(text, values)).rowCount ?? 0,
    ...(statements.areForOneServer && {
      copy: (into, rows) => {
        const messages = copyMessages(into, rows);
        return messages && sendRows(client, into.copy, messages, begin()).finally(end);
      },
    }),
  };
}

/**
 * Statements that are started in one turn leave in one write, however many they are: each write would wake the server,
 * which on a busy machine takes the core away from us in the middle of writing the next.
 */
function sendTogether(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Of statements that are started together one may fail while others go on: what those would ask for next must not reach
 * a connection that has rolled back and belongs to somebody else.
 */
function txOn(queries: Queries, open: OpenTx): Tx {
  const noted = <Answer>(answer: Promise<Answer>) => {
    answer.catch((fault: unknown) => {
      open.firstFault ??= fault;
    });
    return answer;
  };
  return {
    isTx: true,
    query: async <Row extends object>(text: string, values?: readonly SqlValue[]) => {
      assert(open.isOpen, OUTSIDE);
      return noted(queries.query<Row>(text, values));
    },
    execute: async (text, values) => {
      assert(open.isOpen, OUTSIDE);
      return noted(queries.execute(text, values));
    },
    ...(queries.copy && {
      askedAccounts: new Set<string>(),
      copy: (into, rows) => {
        assert(open.isOpen, OUTSIDE);
        const added = queries.copy?.(into, rows);
        return added && noted(added);
      },
    }),
  };
}

const OUTSIDE = 'a statement belongs to a transaction that is open';

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (fault) {
    const classified = classify(fault);
    client.release(classified instanceof DatabaseUnavailable);
    throw classified;
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (fault) {
    throw new DatabaseUnavailable('no connection to the database', { cause: fault });
  }
}

/**
 * Connection faults, shutdowns and "too many connections": the statement did not run, or was rolled back with its
 * session. All of them mean that nothing was committed, since COMMIT has its own path above. A server that takes no
 * writes (25006) has become a standby: the next connection is made to whoever is the primary by then. A session that
 * slept for too long within its transaction was ended (25P03), and so is one that lasts longer, or rests longer, than
 * the administrator allows (25P04, 57P05). A server that is out of room on its disk, or of memory (class 53), takes no
 * writes either until somebody makes room.
 */
const UNAVAILABLE_STATES = /^(08...|57P0[1-3]|57P05|53[0-3]00|25006|25P0[34])$/;
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH']);
/** The driver's own faults have no code. */
const LOST_MESSAGES = /connection terminated|connection error|not queryable|query read timeout/i;

/** The fault as one of the three kinds above: what tells that nothing happened gets the class that says so. */
function classify(fault: unknown): unknown {
  const state = sqlState(fault);
  if (state !== undefined && !UNAVAILABLE_CODES.has(state)) {
    return UNAVAILABLE_STATES.test(state) ? unavailable(fault) : fault;
  }
  if (!(fault instanceof Error)) return fault;
  const code = 'code' in fault ? String(fault.code) : '';
  return UNAVAILABLE_CODES.has(code) || LOST_MESSAGES.test(fault.message) ? unavailable(fault) : fault;
}

function unavailable(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable('the connection to the database was lost, or takes no writes', { cause });
}
