/**
 * Kills the program, or its database, at random moments while fundings are under way, and then looks: every funding
 * that was acknowledged is there, none is there twice, what was not acknowledged is there whole or not at all, and the
 * books are right. The moments come from a seed; what the machine makes of them does not, so a run cannot be replayed
 * exactly.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../test/http/hostile-requests.ts';
import { balanceOf, createPayout, fundPayout, isFunded } from '../test/service/calls.ts';
import type { SignedCaller } from '../test/support/signed-caller.ts';
import { type RunningProgram, runProgram, serverPid, startProgram } from './running-program.ts';

export type Victim = 'program' | 'database';

interface KillOptions {
  readonly victim: Victim;
  readonly kills: number;
  readonly payoutsPerRound: number;
  readonly seed: number;
  readonly onRound?: (round: KillRound) => void;
}

interface KillRound {
  readonly round: number;
  readonly acknowledged: number;
  readonly unacknowledged: number;
  readonly found: number;
}

const CALLERS = 32;
/** The kill comes after a random number of acknowledgements, this many before the last, and a moment later. */
const FUNDINGS_TO_COME = 3 * CALLERS;
const MAX_KILL_DELAY_MS = 10;
const AMOUNT = 1;

/** Throws at the first thing that is wrong. */
export async function killDuringFunding(options: KillOptions): Promise<readonly KillRound[]> {
  const random = randomFrom(options.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'payferry-kill-'));
  const rounds: KillRound[] = [];
  let program: RunningProgram | undefined;
  try {
    program = await startProgram(dataDir);
    for (let round = 1; round <= options.kills; round += 1) {
      const ids = await createPayouts(program.caller, options.payoutsPerRound);
      const before = await balanceOf(program.caller, 'USD');
      const funding = fundAll(program.caller, ids, 1 + random.below(ids.length - FUNDINGS_TO_COME));
      await funding.underWay;
      await sleep(random.below(MAX_KILL_DELAY_MS));
      program = await killVictim(options.victim, program);
      const acknowledged = await funding.acknowledged;
      const found = await checkRound(program, { ids, acknowledged, before });
      const result = {
        round,
        acknowledged: acknowledged.size,
        unacknowledged: ids.length - acknowledged.size,
        found,
      };
      rounds.push(result);
      options.onRound?.(result);
    }
    return rounds;
  } finally {
    await program?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function killVictim(victim: Victim, program: RunningProgram): Promise<RunningProgram> {
  if (victim === 'program') {
    await program.kill();
    return startProgram(program.dataDir);
  }
  process.kill(await serverPid(program.dataDir), 'SIGKILL');
  return program;
}

async function createPayouts(caller: SignedCaller, count: number): Promise<string[]> {
  const ids: string[] = [];
  await forEachCaller(count, async () => {
    ids.push(await createPayout(caller, AMOUNT));
  });
  return ids;
}

/**
 * Acknowledged are the ids whose funding was answered with 200; what was answered otherwise, or not at all, is not
 * known. Under way: so many were acknowledged.
 */
function fundAll(caller: SignedCaller, ids: readonly string[], count: number) {
  const acknowledged = new Set<string>();
  let reached: () => void = () => undefined;
  const reachedCount = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const all = forEachCaller(ids.length, async (index) => {
    const id = ids[index] ?? '';
    const answer = await fundPayout(caller, id).catch(() => undefined);
    if (answer?.status === 200) acknowledged.add(id);
    else if (answer !== undefined && answer.status !== 503) {
      throw new Error(`funding answered ${answer.status}: ${answer.text}`);
    }
    if (acknowledged.size >= count) reached();
  }).then(() => acknowledged);
  return { acknowledged: all, underWay: Promise.race([reachedCount, all]) };
}

async function checkRound(
  { caller, dataDir }: RunningProgram,
  round: { ids: readonly string[]; acknowledged: ReadonlySet<string>; before: number },
): Promise<number> {
  await untilReady(caller);
  let found = 0;
  await forEachCaller(round.ids.length, async (index) => {
    const id = round.ids[index] ?? '';
    const isThere = await isFunded(caller, id);
    if (isThere) found += 1;
    if (round.acknowledged.has(id) && !isThere) throw new Error(`an acknowledged funding is lost: ${id}`);
  });
  const after = await balanceOf(caller, 'USD');
  if (round.before - after !== found * AMOUNT) {
    throw new Error(`${found} fundings took ${round.before - after} from the balance`);
  }
  const { code, stdout, stderr } = await runProgram(['ledger', 'verify', '--data', dataDir]);
  if (code !== 0 || !stdout.includes('The books are right')) throw new Error(stdout + stderr);
  return found;
}

async function untilReady(caller: SignedCaller): Promise<void> {
  const MAX_TRIES = 300;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await caller.get('/v1/accounts').catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(100);
  }
  throw new Error('the program did not come back');
}

async function forEachCaller(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < count) {
        const index = next;
        next += 1;
        await work(index);
      }
    }),
  );
}
