/**
 * `payferry migrate`: brings the schema up to date and nothing more. It asks of the database what a start asks of it:
 * one that the program would refuse afterwards is left to those who run on it.
 */
import { silentLog } from '../kernel/log.ts';
import type { Settings } from '../settings/shape.ts';
import { openPg } from '../storage/pg.ts';
import { refuseOtherKey } from './master-key.ts';
import { explainedOf, findServer, migrateSuitable } from './open-database.ts';

/** Gives the names of the migrations that were run. */
export async function migrateDatabase(settings: Settings, onProgress: (text: string) => void): Promise<string[]> {
  const server = await findServer({ settings, log: silentLog, onProgress, onLost: () => undefined });
  const { statementTimeoutMs } = settings.database;
  const db = openPg({ url: server.url, poolSize: 1, statementTimeoutMs, onIdleFault: () => undefined });
  try {
    return await migrateSuitable(server.url, db, {
      settings,
      beforeChange: () => refuseOtherKey(settings, db),
      onWait: (migration) => onProgress(`migration ${migration} waits: somebody uses its table`),
    });
  } catch (fault) {
    throw explainedOf(server, fault);
  } finally {
    await db.close();
    await server.stop();
  }
}
