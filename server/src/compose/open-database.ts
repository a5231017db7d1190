/**
 * Which PostgreSQL: the one that DATABASE_URL names, or our own in the data directory. Brings its schema up to date,
 * and keeps its statistics.
 */
import { DatabaseUnavailable } from '../kernel/database.ts';
import type { Log } from '../kernel/log.ts';
import type { Settings } from '../settings/shape.ts';
import { startEmbeddedPostgres } from '../storage/embedded/supervisor.ts';
import { migrate, refuseOtherSchema } from '../storage/migrate.ts';
import { openPg, type PgDatabase } from '../storage/pg.ts';
import { LOOK_EVERY_MS, refreshStatistics } from '../storage/statistics.ts';
import { claimForMode, hasTable, refuseForgetful, refuseOtherMode } from '../storage/suitable.ts';
import { every } from './every.ts';

interface OpenDatabase {
  readonly db: PgDatabase;
  /** Whether it is the one in the data directory, whose owner owns everything in it. */
  readonly isOurs: boolean;
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** What is being done, in words for the person who waits. */
  readonly onProgress: (text: string) => void;
  /**
   * Refuses, by throwing, a database that this program is not to bring up to date: asked before anything is changed.
   */
  readonly beforeChange?: (db: PgDatabase) => Promise<void>;
  /** The database is gone for good: the program cannot go on. */
  readonly onLost: (reason: string) => void;
}

/** The database that DATABASE_URL names cannot be used; the message says why. */
export class DatabaseNotReached extends Error {
  override readonly name = 'DatabaseNotReached';
}

export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { settings, log } = options;
  const server = await findServer(options);
  try {
    const db = openPg({
      url: server.url,
      poolSize: settings.database.poolSize,
      statementTimeoutMs: settings.database.statementTimeoutMs,
      idleInTxTimeoutMs: settings.database.idleInTxTimeoutMs,
      isDistributed: settings.database.oneTenantBatches,
      onIdleFault: log.turnsOf('a database connection broke').failed,
    });
    await bringUpToDate(server, db, options).catch(async (fault: unknown) => {
      await db.close();
      throw explainedOf(server, fault);
    });
    const turns = log.turnsOf('statistics');
    const endStatistics = every(
      LOOK_EVERY_MS,
      turns.follow(() => refreshStatistics(db)),
      turns.failed,
    );
    return {
      db,
      isOurs: server.isOurs,
      close: async () => {
        await endStatistics();
        await db.close();
        await server.stop();
      },
    };
  } catch (fault) {
    await server.stop();
    throw fault;
  }
}

async function bringUpToDate({ url }: Server, db: PgDatabase, options: OpenDatabaseOptions): Promise<void> {
  const { settings, log } = options;
  const onWait = (migration: string) => log.warn('a migration waits: somebody uses its table', { migration });
  const ran = await migrateSuitable(url, db, { ...options, onWait });
  if (ran.length > 0) options.onProgress(`the schema is up to date (${ran.length} migrations)`);
  await claimForMode(db, settings.mode);
}

interface MigrateSuitable extends Pick<OpenDatabaseOptions, 'settings' | 'beforeChange'> {
  /** Told each time a migration has to wait for a table. */
  readonly onWait: (migration: string) => void;
}

/**
 * What refuses this database comes first: a program that does not start has not changed a schema that others run on.
 * Gives the names of the migrations that were run.
 */
export async function migrateSuitable(
  url: string,
  db: PgDatabase,
  { settings, beforeChange, onWait }: MigrateSuitable,
): Promise<string[]> {
  if (settings.mode === 'live') await refuseForgetful(db);
  if (await hasTable(db, 'schema_migrations')) await refuseOtherSchema(db);
  await refuseOtherMode(db, settings.mode);
  await beforeChange?.(db);
  return migrate(url, undefined, { onWait });
}

/**
 * Faults with a code come from the network or from the server itself: nobody there, wrong password, no such database.
 * The driver's own have none: no password for a server that asks for one, TLS asked of a server that has none.
 */
export function explainedOf({ isOurs }: Pick<Server, 'isOurs'>, thrown: unknown): unknown {
  if (isOurs) return thrown;
  const isNoConnection = thrown instanceof DatabaseUnavailable;
  const fault = isNoConnection ? thrown.cause : thrown;
  if (!(fault instanceof Error && (isNoConnection || 'code' in fault))) return thrown;
  const why = fault.message || ('code' in fault ? String(fault.code) : fault.name);
  return new DatabaseNotReached(`The database cannot be used: ${why}. Is DATABASE_URL right?`, { cause: fault });
}

interface Server {
  readonly url: string;
  readonly isOurs: boolean;
  stop(): Promise<void>;
}

export async function findServer({ settings, log, onProgress, onLost }: OpenDatabaseOptions): Promise<Server> {
  if (settings.database.url !== null) {
    return { url: settings.database.url, isOurs: false, stop: async () => undefined };
  }
  const server = await startEmbeddedPostgres({
    dataDir: settings.data,
    onProgress,
    onEvent: (event) => {
      log.warn('embedded database', { event: event.kind });
      if (event.kind === 'gave_up') onLost('the embedded database does not start any more; its log says why');
    },
  });
  if (server.adopted) onProgress('took over the database that was left running');
  return { url: server.url, isOurs: true, stop: () => server.stop() };
}
