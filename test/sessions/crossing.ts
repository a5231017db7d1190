/**
 * Two sessions that lock the same rows, each beginning with another one, while a third keeps a row that both come to:
 * without an order they are in a circle as soon as that one is given back.
 */
import type { Database, Tx } from '../../server/src/kernel/database.ts';
import { Chance } from './chance.ts';
import { runSchedule } from './schedule.ts';
import type { Session } from './session.ts';

interface Crossing {
  /** Locks the row that both come to. */
  readonly keep: (tx: Tx) => Promise<unknown>;
  readonly works: readonly [(tx: Tx) => Promise<unknown>, (tx: Tx) => Promise<unknown>];
}

/** What they ran into; empty: they waited for each other one after the other. */
export async function faultsOfCrossing(
  sessions: readonly [Session, Session],
  monitor: Database,
  { keep, works }: Crossing,
): Promise<string[]> {
  await monitor.inTx(async (keeper) => {
    await keep(keeper);
    for (const [place, session] of sessions.entries()) {
      session.start(async () => void (await session.db.inTx((tx) => works[place === 0 ? 0 : 1](tx))));
      while ((await session.standing(monitor)) === 'ready') session.goOn();
    }
  });
  await runSchedule(sessions, { chance: new Chance(1), monitor, trace: [] });
  return sessions.flatMap(({ fault }) => (fault === undefined ? [] : [String(fault.fault)]));
}
