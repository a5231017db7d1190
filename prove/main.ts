/**
 * `npm run prove`: what takes too long for every test run, at full counts. Each proof that has passed is written to
 * prove/results.json with its counts and the version that it was made on; `--only NAME` runs one, and a run that was
 * stopped goes on with those that this version has not passed (`--again` runs all). `--kills N` makes fewer kills where
 * processes and databases are killed under load, and keeps no result; `--page` only shows the results in docs/proof.md.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { recoveryFacts } from './crash/victims.ts';
import { crashAndLoad } from './crash-and-load.ts';
import { failover } from './failover.ts';
import { killDuringDelivery } from './kill-during-delivery.ts';
import { killDuringFunding, type Victim } from './kill-during-funding.ts';
import { writePage } from './page.ts';
import { type Facts, isProvedOn, readResults, writeResult } from './results.ts';
import { versionNow } from './version.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLANTED = 'planted-faults';
const KILLS = 20;
const CRASHES = 100;
const FAILOVERS = 10;
const PAYOUTS_PER_KILL = 400;
const CONSERVED_PAYOUTS = 10_000;
const MIXED_COLLECTIONS = 5_000;
const PAYOUT_LIVES = 100;
const WORKER_BACKLOG = 400;
const WORKER_KILLS = 20;
const HOSTILE_REQUESTS = 10_000;
const SESSION_SCHEDULES = 1_000;
const MAX_SEED = 1_000_000;

/** Undefined: it cannot be shown on this machine. */
const PROOFS: Readonly<Record<string, (seed: number) => Promise<Facts | undefined>>> = {
  'kill-program-during-funding': (seed) => kills('program', seed),
  'kill-database-during-funding': (seed) => kills('database', seed),
  'kill-program-during-delivery': deliveryKills,
  'conserve-mixed-payouts': async () => {
    vitest(['test/payouts/conservation.test.ts'], { CONSERVED_PAYOUTS: String(CONSERVED_PAYOUTS) });
    return { payouts: CONSERVED_PAYOUTS };
  },
  'conserve-mixed-collections': async (seed) => {
    const env = { MIXED_COLLECTIONS: String(MIXED_COLLECTIONS), COLLECTIONS_SEED: String(seed) };
    vitest(['test/collections/conservation.test.ts'], env);
    return { collections: MIXED_COLLECTIONS };
  },
  'random-lives-of-payouts': async (seed) => {
    vitest(['test/payouts/random-lives.test.ts'], { PAYOUT_LIVES: String(PAYOUT_LIVES), PAYOUT_SEED: String(seed) });
    return { lives: PAYOUT_LIVES };
  },
  'kill-workers-during-payouts': async () => {
    const env = { WORKER_BACKLOG: String(WORKER_BACKLOG), WORKER_KILLS: String(WORKER_KILLS) };
    vitest(['--config', 'vitest.slow.config.ts', 'test/service/slow/payout-workers.test.ts'], env);
    const acknowledged = (1 + WORKER_KILLS) * WORKER_BACKLOG;
    return { kills: WORKER_KILLS, payoutsPerKill: WORKER_BACKLOG, acknowledged, lost: 0, paidTwice: 0 };
  },
  'crash-and-load': crashes,
  failover: failovers,
  'several-sessions': async (seed) => {
    const env = { SESSION_SCHEDULES: String(SESSION_SCHEDULES), SESSION_SEED: String(seed) };
    vitest(['test/sessions'], env);
    return { schedules: SESSION_SCHEDULES };
  },
  'planted-in-the-simulation': async () => {
    vitest(['test/simulation'], { SIMULATION_PLANTED: '1' });
    return {};
  },
  [PLANTED]: async () => plantFaults(),
  'hostile-requests': async (seed) => {
    const env = { HOSTILE_REQUESTS: String(HOSTILE_REQUESTS), HOSTILE_SEED: String(seed) };
    vitest(['test/http/hostile.test.ts', 'test/http/hostile-routes.test.ts'], env);
    return { requestsToTheEdge: HOSTILE_REQUESTS, callsOfAllEndpoints: HOSTILE_REQUESTS };
  },
};

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    again: { type: 'boolean' },
    seed: { type: 'string' },
    kills: { type: 'string' },
    page: { type: 'boolean' },
  },
});
if (flags.page) {
  writePage(readResults());
  process.exit();
}
// Before the build: what is changed later is another version.
const version = versionNow();
spawnSync(process.execPath, ['scripts/build.js'], { cwd: ROOT, stdio: 'inherit' });

for (const [name, prove] of Object.entries(PROOFS)) {
  if (flags.only !== undefined && flags.only !== name) continue;
  const known = readResults()[name];
  if (isProvedOn(version, known) && !flags.again && flags.only === undefined) {
    console.log(`${name}: proved ${known?.at} on this version`);
    continue;
  }
  const seed = Number(flags.seed ?? Math.floor(Math.random() * MAX_SEED));
  if (known) console.log(`${name}: last proved ${known.at}, on ${known.version ?? 'an older version'}`);
  console.log(`${name} (seed ${seed}) ...`);
  const startedAtMs = performance.now();
  const facts = await prove(seed);
  if (facts === undefined) {
    console.log(`${name}: left out`);
    continue;
  }
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  const result = { at: new Date().toISOString(), version, seed, seconds, ...facts };
  console.log(`${name}: ${JSON.stringify(result)}`);
  // A run with fewer kills than the full one shows something and proves nothing.
  if (flags.kills === undefined) writePage(writeResult(name, result));
}

/** Writes its own results, after each fault, so that a run that was stopped goes on. */
function plantFaults(): Facts {
  const isAll = flags.again || flags.only !== undefined;
  const args = ['tsx', 'prove/mutate.ts', ...(isAll ? [] : ['--missing'])];
  const { status } = spawnSync('npx', args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('a planted fault was not caught');
  return readResults()[PLANTED] ?? {};
}

async function kills(victim: Victim, seed: number): Promise<Facts> {
  const rounds = await killDuringFunding({
    victim,
    kills: KILLS,
    payoutsPerRound: PAYOUTS_PER_KILL,
    seed,
    onRound: (round) => console.log(`  kill ${round.round}: ${JSON.stringify(round)}`),
  });
  const sum = (name: 'acknowledged' | 'unacknowledged' | 'found') =>
    rounds.reduce((total, round) => total + round[name], 0);
  return {
    kills: KILLS,
    acknowledged: sum('acknowledged'),
    found: sum('found'),
    unacknowledged: sum('unacknowledged'),
    lost: 0,
  };
}

async function crashes(seed: number): Promise<Facts> {
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl !== undefined) console.log('  DATABASE_URL is set: processes are killed, that database is not');
  const { records, ...counts } = await crashAndLoad({
    kills: Number(flags.kills ?? CRASHES),
    seed,
    databaseUrl,
    onKill: (record) => console.log(`  ${JSON.stringify(record)}`),
  });
  return { ...counts, ...recoveryFacts(records), lost: 0, paidTwice: 0 };
}

async function failovers(seed: number): Promise<Facts | undefined> {
  const report = await failover({
    failovers: Number(flags.kills ?? FAILOVERS),
    seed,
    onFailover: (record) => console.log(`  ${JSON.stringify(record)}`),
  });
  if (report === undefined) {
    console.log('  This system has no PostgreSQL with pg_basebackup installed: a standby cannot be made here.');
    return undefined;
  }
  const { records, ...counts } = report;
  return { ...counts, ...recoveryFacts(records), lost: 0, paidTwice: 0 };
}

async function deliveryKills(seed: number): Promise<Facts> {
  const rounds = await killDuringDelivery({
    kills: KILLS,
    payoutsPerRound: PAYOUTS_PER_KILL,
    seed,
    onRound: (round) => console.log(`  kill ${round.round}: ${JSON.stringify(round)}`),
  });
  const sum = (name: 'created' | 'before' | 'requests') => rounds.reduce((total, round) => total + round[name], 0);
  return {
    kills: KILLS,
    created: sum('created'),
    before: sum('before'),
    requests: sum('requests'),
    lost: 0,
    invented: 0,
  };
}

function vitest(args: readonly string[], env: Readonly<Record<string, string>>): void {
  const { status } = spawnSync('npx', ['vitest', 'run', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`the tests failed: ${args.join(' ')}`);
}
