/**
 * Opens what the recovery of an operator needs, and no more: the database as it is, without bringing its schema up to
 * date or claiming it for a mode, and the master key, without making one.
 */
import type { Outcome } from '../accounts/operator-refusals.ts';
import { CommitUnknown, DatabaseUnavailable } from '../kernel/database.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { movingClock } from '../kernel/moving-clock.ts';
import { type Recovered, type RecoverInput, recoverOperator } from '../operator/recover.ts';
import type { Settings } from '../settings/shape.ts';
import { type VisitedPostgres, visitEmbeddedPostgres } from '../storage/embedded/visit.ts';
import { refuseOtherSchema } from '../storage/migrate.ts';
import { openPg } from '../storage/pg.ts';
import { clockPosition } from '../transactions/travel.ts';
import { explainOtherKey, sealAtHand } from './master-key.ts';
import { DatabaseNotReached } from './open-database.ts';

export async function recoverOnDatabase(
  settings: Settings,
  input: RecoverInput,
  onProgress: (text: string) => void,
): Promise<Outcome<Recovered>> {
  const seal = await sealAtHand(settings);
  const server = await visit(settings, onProgress);
  try {
    const { statementTimeoutMs } = settings.database;
    const db = openPg({ url: server.url, poolSize: 1, statementTimeoutMs, onIdleFault: () => undefined });
    try {
      await refuseOtherSchema(db);
      // A sandbox may be ahead of the machine; its audit log goes by its own time.
      const clock = movingClock();
      clock.moveTo(await clockPosition(db));
      const ids = timeOrderedIds(() => clock.now().getTime());
      return await recoverOperator({ db, clock, ids, seal }, input).catch(explainOtherKey);
    } finally {
      await db.close();
    }
  } catch (fault) {
    throw explained(settings, fault);
  } finally {
    await server.leave();
  }
}

async function visit(settings: Settings, onProgress: (text: string) => void): Promise<VisitedPostgres> {
  const { url } = settings.database;
  return url === null
    ? visitEmbeddedPostgres({ dataDir: settings.data, onProgress })
    : { url, leave: async () => undefined };
}

function explained(settings: Settings, fault: unknown): unknown {
  if (fault instanceof CommitUnknown) {
    return new DatabaseNotReached('The answer of the database was lost: run this again, and if it was --new, without.');
  }
  if (!(fault instanceof DatabaseUnavailable)) return fault;
  const advice = settings.database.url === null ? 'Stop the service, and run this again.' : 'Is DATABASE_URL right?';
  const why = fault.cause instanceof Error && fault.cause.message !== '' ? fault.cause.message : fault.message;
  return new DatabaseNotReached(`The database cannot be used: ${why}. ${advice}`, { cause: fault });
}
