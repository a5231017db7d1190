/** The processes of a seed: started, struck by what was armed for them, crashed, and started again. */
import { mayRunAgain, OutcomeUnknown, Overloaded } from '../server/src/kernel/batch.ts';
import { type Log, silentTurns } from '../server/src/kernel/log.ts';
import { ProcessDatabase } from './database/port.ts';
import { type ArmedMishap, SimulatedProcess } from './process.ts';
import { startProcess } from './service.ts';
import type { World } from './world.ts';

const RESTART_MS = { least: 200, most: 60_000 } as const;

/**
 * Starts a process and gives it up when it crashes: another one takes its place after a while. Returns when it runs, or
 * has died of its start.
 */
export async function begin(world: World, name: string): Promise<void> {
  const process = new SimulatedProcess(name, { onMishap: (dying, mishap) => suffer(world, dying, mishap) });
  const deadly = world.deadlyStarts.shift();
  if (deadly) process.arm({ what: 'crash', ...deadly });
  world.starting.add(process);
  const start = world.time.owners.run(process, () =>
    startProcess({
      materials: world.materials,
      settings: world.settings,
      db: new ProcessDatabase(world.host, process),
      clock: world.clock,
      wake: world.hub.join(process),
      log: logOf(world, process),
      providers: world.providers.map((provider) => () => provider.adapterFor(process)),
      payinProviders: world.payinProviders.map((provider) => () => provider.adapterFor(process)),
      lists: world.lists,
      httpClient: world.receivers.httpClientFor(process),
    }),
  );
  const service = await Promise.race([start, process.death.catch(() => undefined)]);
  world.starting.delete(process);
  if (service === undefined || !process.isAlive) return;
  // What its start did not reach was meant for nothing else.
  process.disarm();
  world.running.push({ process, service });
}

function suffer(world: World, process: SimulatedProcess, { what, at, forMs = 0 }: ArmedMishap): void {
  world.trace.add(process.name, `${what} at ${at}${world.starting.has(process) ? ' of its start' : ''}`);
  if (what === 'crash') crash(world, process);
  else if (what === 'sleep') fallAsleep(world, process, forMs);
  else world.counts.faults += 1;
}

function fallAsleep(world: World, process: SimulatedProcess, forMs: number): void {
  // One that sleeps already sleeps on until its time is over.
  if (process.isAsleep) return;
  world.counts.sleeps += 1;
  process.fallAsleep();
  world.after(forMs, () => {
    if (!process.isAsleep) return;
    world.trace.add(process.name, 'is awake');
    process.wakeUp();
    world.host.activity += 1;
  });
}

function crash(world: World, process: SimulatedProcess): void {
  if (!process.isAlive) return;
  world.counts.crashes += 1;
  process.die();
  world.hub.leave(process);
  world.time.forget(process);
  const place = world.running.findIndex((each) => each.process === process);
  if (place !== -1) world.running.splice(place, 1);
  const afterMs = world.draw('restarts').between(RESTART_MS.least, RESTART_MS.most);
  world.onMachine(afterMs, () => world.spawn(`restart of ${process.name}`, () => begin(world, process.name)));
}

/** Nothing is armed any more, and nobody sleeps. */
export function reviveAll(world: World): void {
  world.deadlyStarts.length = 0;
  for (const process of world.starting) process.disarm();
  for (const { process } of world.running) {
    process.disarm();
    process.wakeUp();
  }
}

/** What a caller is told with 503, beside faults of the moment. */
const OUTAGES = [OutcomeUnknown, Overloaded];

/** A line that tells of a bug is a violation; warnings are what faults are met with. */
function logOf(world: World, process: SimulatedProcess): Log {
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (message, _fields, fault) => {
      if (!process.isAlive || mayRunAgain(fault) || OUTAGES.some((outage) => fault instanceof outage)) return;
      const stack = fault instanceof Error ? fault.stack : String(fault);
      world.violate('no fault of the program', `${message}: ${stack}`);
    },
    child: () => log,
    turnsOf: () => silentTurns,
  };
  return log;
}
