/** The database of the simulation, in the hands of a process to which nothing happens but what a test asks for. */
import type { Database } from '../../server/src/kernel/database.ts';
import { Chance } from '../../simulate/chance.ts';
import { openEngine } from '../../simulate/database/engine.ts';
import { DatabaseHost } from '../../simulate/database/host.ts';
import { type Mortal, ProcessDatabase } from '../../simulate/database/port.ts';

type MishapAt = Mortal['mishapAt'];

interface SimulatedDatabase extends Database {
  /** Asked at each moment from now on what goes wrong then. */
  inject(mishapAt: MishapAt): void;
  /** As it was after the migrations. Starting anew costs seconds, this milliseconds. */
  clear(): void;
}

export const NO_MISHAPS: MishapAt = () => undefined;

export async function openSimulated(): Promise<SimulatedDatabase> {
  const engine = await openEngine();
  let mishapAt = NO_MISHAPS;
  const process: Mortal = {
    isAlive: true,
    isAsleep: false,
    awake: async () => undefined,
    death: new Promise<never>(() => undefined),
    mishapAt: (moment) => mishapAt(moment),
  };
  return Object.assign(new ProcessDatabase(new DatabaseHost(engine, new Chance('port')), process), {
    inject: (next: MishapAt) => {
      mishapAt = next;
    },
    clear: () => engine.clear(),
  });
}
