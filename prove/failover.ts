/**
 * Failover for real: a primary with a synchronous standby, the program in two and two processes, and load. The primary
 * is killed with everything that belongs to it, the standby becomes the primary, and the program finds it under the
 * same address, which a balancer keeps. Nothing that was acknowledged may be lost. Needs the system's own PostgreSQL.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../test/http/hostile-requests.ts';
import { type Balancer, LOOPBACK, openBalancer } from './crash/balancer.ts';
import { checkPromises } from './crash/checks.ts';
import { startLoad } from './crash/load.ts';
import { findPairPrograms, Pair } from './crash/pair.ts';
import { checkEnd, type Ending, openStand, type Stand, tellingWhatIsOpen } from './crash/stand.ts';
import { type KillRecord, watchRecovery } from './crash/victims.ts';

interface FailoverOptions {
  readonly failovers: number;
  readonly seed: number;
  readonly onFailover?: (record: KillRecord) => void;
}

interface FailoverReport extends Ending {
  readonly records: readonly KillRecord[];
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly reads: number;
}

const MIN_LOAD_MS = 2_000;
const MAX_LOAD_MS = 5_000;

/** Undefined where the system has no PostgreSQL with pg_basebackup. Throws at the first thing that is wrong. */
export async function failover(options: FailoverOptions): Promise<FailoverReport | undefined> {
  const programs = await findPairPrograms();
  if (programs === undefined) return undefined;
  const workDir = await mkdtemp(join(tmpdir(), 'payferry-failover-'));
  const balancer = await openBalancer();
  let pair: Pair | undefined;
  let stand: Stand | undefined;
  try {
    pair = await Pair.open(programs);
    balancer.sendTo([pair.primary]);
    stand = await openStand({ workDir, databaseUrl: pair.urlAt({ host: LOOPBACK, port: balancer.port }) });
    const at = { stand, pair, balancer };
    return await tellingWhatIsOpen(stand, () => failOverUnderLoad(options, at));
  } finally {
    await stand?.close();
    await balancer.close();
    await pair?.close();
    await rm(workDir, { recursive: true, force: true });
  }
}

interface Scene {
  readonly stand: Stand;
  readonly pair: Pair;
  readonly balancer: Balancer;
}

async function failOverUnderLoad(options: FailoverOptions, scene: Scene): Promise<FailoverReport> {
  const { stand } = scene;
  const load = startLoad(stand.customers, options.seed);
  const records = await Promise.race([failOverAll(options, scene), load.failed]);
  await load.stop();
  const { acknowledged, unanswered, reads } = stand.memory;
  return { ...(await checkEnd(stand)), records, acknowledged, unanswered, reads };
}

async function failOverAll(
  { failovers, seed, onFailover }: FailoverOptions,
  { stand, pair, balancer }: Scene,
): Promise<readonly KillRecord[]> {
  const random = randomFrom(seed);
  const records: KillRecord[] = [];
  while (records.length < failovers && !stand.memory.isOver) {
    await sleep(MIN_LOAD_MS + random.below(MAX_LOAD_MS - MIN_LOAD_MS));
    const record = await watchRecovery('primary', stand, async () => {
      await pair.killPrimary();
      await pair.promote();
      balancer.sendTo([pair.primary]);
    });
    records.push(record);
    onFailover?.(record);
    await checkPromises(stand.db, stand.memory);
    if (records.length < failovers) await pair.addStandby();
  }
  return records;
}
