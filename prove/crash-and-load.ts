/**
 * Crash and load for real: the built program as two processes that answer calls and two that work, behind a balancer,
 * on a real PostgreSQL; customers that create, fund, edit, cancel and read all the while; and kill -9 of any process
 * and of the database, at random moments. Whatever was acknowledged has to hold. The moments come from a seed; what the
 * machine makes of them does not, so a run cannot be replayed exactly.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../server/src/storage/embedded/supervisor.ts';
import { randomFrom } from '../test/http/hostile-requests.ts';
import { checkPromises } from './crash/checks.ts';
import type { Member } from './crash/fleet.ts';
import { startLoad } from './crash/load.ts';
import { checkEnd, type Ending, openStand, type Stand, tellingWhatIsOpen } from './crash/stand.ts';
import { type KillRecord, watchRecovery } from './crash/victims.ts';

interface CrashOptions {
  readonly kills: number;
  readonly seed: number;
  /** A database that somebody else keeps is not killed. When not set, one is started for the run. */
  readonly databaseUrl?: string | undefined;
  readonly onKill?: (record: KillRecord) => void;
}

interface CrashReport extends Ending {
  readonly records: readonly KillRecord[];
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly reads: number;
  /** Looks at everything that was promised, each after a kill of the database. */
  readonly checks: number;
}

interface Server {
  readonly url: string;
  kill: (() => void) | undefined;
  stop(): Promise<void>;
}

type Victim = Member | 'database';

/** Each kind once, so that a short run has hit all of them; then chance decides. */
const FIRST_VICTIMS: readonly Victim[] = ['worker-1', 'database', 'api-1'];
const MAX_PAUSE_MS = 1_500;
const MAX_FIRST_MS = 60_000;

/** Throws at the first thing that is wrong. */
export async function crashAndLoad(options: CrashOptions): Promise<CrashReport> {
  const workDir = await mkdtemp(join(tmpdir(), 'payferry-crash-'));
  let server: Server | undefined;
  let stand: Stand | undefined;
  try {
    server = await openServer(workDir, options.databaseUrl);
    stand = await openStand({ workDir, databaseUrl: server.url });
    const at = { server, stand };
    return await tellingWhatIsOpen(stand, () => killUnderLoad(options, at));
  } finally {
    await stand?.close();
    await server?.stop();
    await rm(workDir, { recursive: true, force: true });
  }
}

async function killUnderLoad(
  options: CrashOptions,
  { stand, server }: { readonly stand: Stand; readonly server: Server },
): Promise<CrashReport> {
  const load = startLoad(stand.customers, options.seed);
  const { records, checks } = await Promise.race([killAll(options, stand, server), load.failed]);
  await load.stop();
  const { acknowledged, unanswered, reads } = stand.memory;
  return { ...(await checkEnd(stand)), records, checks, acknowledged, unanswered, reads };
}

/** Kept by the program's own supervisor: when it is killed, that starts it again. */
async function openServer(workDir: string, databaseUrl: string | undefined): Promise<Server> {
  if (databaseUrl !== undefined) return { url: databaseUrl, kill: undefined, stop: async () => undefined };
  const server = await startEmbeddedPostgres({ dataDir: join(workDir, 'database') });
  return {
    // Where the socket stands in the query, a host before it makes the address a URL too.
    url: server.url.replace('@/', '@localhost/'),
    kill: () => process.kill(server.pid(), 'SIGKILL'),
    stop: () => server.stop(),
  };
}

async function killAll(options: CrashOptions, stand: Stand, server: Server) {
  const random = randomFrom(options.seed);
  const records: KillRecord[] = [];
  let checks = 0;
  // Nothing is killed before everything has worked once.
  await Promise.all([stand.accepted.next(performance.now(), MAX_FIRST_MS), stand.paid.next(0, MAX_FIRST_MS)]);
  while (records.length < options.kills && !stand.memory.isOver) {
    await sleep(random.below(MAX_PAUSE_MS));
    const victims: Victim[] = [...stand.fleet.up(), ...(server.kill ? (['database'] as const) : [])];
    const planned = FIRST_VICTIMS.filter((each) => server.kill || each !== 'database')[records.length];
    const victim = planned ?? victims[random.below(victims.length)];
    if (victim === undefined) continue;
    const record = await watchRecovery(victim, stand, async () => {
      if (victim === 'database') server.kill?.();
      else await stand.fleet.kill(victim);
    });
    records.push(record);
    options.onKill?.(record);
    if (victim !== 'database') continue;
    await checkPromises(stand.db, stand.memory);
    checks += 1;
  }
  return { records, checks };
}
