/** The database of the simulation, in the hands of a process to which nothing ever happens. */
import type { Database } from '../../server/src/kernel/database.ts';
import { Chance } from '../../simulate/chance.ts';
import { openEngine } from '../../simulate/database/engine.ts';
import { DatabaseHost } from '../../simulate/database/host.ts';
import { type Mortal, ProcessDatabase } from '../../simulate/database/port.ts';

const IMMORTAL: Mortal = {
  isAlive: true,
  isAsleep: false,
  awake: async () => undefined,
  death: new Promise<never>(() => undefined),
  mishapAt: () => undefined,
};

export async function openSimulated(): Promise<Database> {
  return new ProcessDatabase(new DatabaseHost(await openEngine(), new Chance('port')), IMMORTAL);
}
