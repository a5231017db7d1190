/**
 * Signed create_and_fund over HTTP: program, load generator and database are processes of their own on the same
 * machine, commits are durable, no workers run. What is compared runs by turns, so that a change of the machine's mood
 * hits both sides. After the runs the database has to hold exactly the payouts that were acknowledged, and the books
 * are right.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assert, present } from '../../server/src/kernel/assert.ts';
import { verifyLedger } from '../../server/src/ledger/verify.ts';
import { migrate } from '../../server/src/storage/migrate.ts';
import { openPg, type PgDatabase } from '../../server/src/storage/pg.ts';
import { databaseUrl } from '../../test/support/database-url.ts';
import { defaultSettings } from '../context.ts';
import { createDatabase, settle } from '../database.ts';
import type { Measurement } from '../measure.ts';
import { type ApiProcess, startApi } from './api-process.ts';
import { fillTransactions } from './fill.ts';
import type { LoadOrder } from './load.ts';
import { type Load, type LoadProcess, measurementOf, startLoadProcess } from './load-process.ts';
import { makePayers } from './payers.ts';
import type { Payer } from './requests.ts';

interface HttpOptions {
  readonly serverUrl: string;
  readonly workDir: string;
  readonly payoutsPerRun: number;
  readonly runs: number;
  /** Zero leaves the comparison out. */
  readonly storedTransactions: number;
  /** So many payouts are made at least by the program whose memory is looked at. */
  readonly payoutsForMemory: number;
  readonly say: (text: string) => void;
}

export interface MemoryPoint {
  readonly payouts: number;
  readonly mb: number;
}

export interface HttpResult {
  readonly measurements: readonly Measurement[];
  readonly memory: readonly MemoryPoint[];
}

const CONNECTIONS = 256;
const MANY_ACCOUNTS = 64;
const FIRST_DATABASE = 'payferry_http';

/** A program with its database and its payers. */
interface Stand {
  readonly api: ApiProcess;
  readonly db: PgDatabase;
  readonly hot: readonly Payer[];
  readonly many: readonly Payer[];
  /** Acknowledged by now, by whichever program. */
  payouts: number;
  /** The memory of the program after each run of its own, by the payouts that it has made itself. */
  readonly memory: MemoryPoint[];
}

export async function measureHttp(options: HttpOptions): Promise<HttpResult> {
  const load = startLoadProcess();
  const stands: Stand[] = [];
  try {
    const stand = await openStand(options, FIRST_DATABASE, load);
    stands.push(stand);
    const balances = await compareBalances(options, load, stand);
    return {
      measurements: [
        ...balances,
        await measureHalfRate(options, load, stand, highestRateOf(balances)),
        ...(await compareProcesses(options, load, stand)),
        ...(await compareApiLogs(options, load, stand)),
        ...(options.storedTransactions > 0 ? await compareStored(options, load, stand, stands) : []),
      ],
      memory: await watchMemory(options, load, stand),
    };
  } finally {
    load.stop();
    for (const stand of stands) await closeStand(stand);
  }
}

async function openStand(options: HttpOptions, name: string, load: LoadProcess): Promise<Stand> {
  await createDatabase(options.serverUrl, name);
  const url = databaseUrl(options.serverUrl, name);
  await migrate(url);
  const { poolSize, statementTimeoutMs } = defaultSettings().database;
  const db = openPg({ url, poolSize, statementTimeoutMs });
  const api = await startApi({ dataDir: await newDirectory(options, name), databaseUrl: url });
  const [first, ...many] = await makePayers(api, 1 + MANY_ACCOUNTS);
  const stand = { api, db, hot: first ? [first] : [], many, payouts: 0, memory: [] };
  options.say(`  ${name}: warm-up ...`);
  await warmUp(options, load, stand);
  await settle(options.serverUrl);
  return stand;
}

/** Before this many calls a process is slower: its code is still being compiled. */
async function warmUp(options: HttpOptions, load: LoadProcess, stand: Stand, process = stand.api): Promise<void> {
  await pay(options, load, stand, stand.many, [process]);
  await pay(options, load, stand, stand.hot, [process]);
}

async function newDirectory({ workDir }: HttpOptions, name: string): Promise<string> {
  const dataDir = join(workDir, name);
  await mkdir(dataDir);
  return dataDir;
}

async function pay(
  options: HttpOptions,
  load: LoadProcess,
  stand: Stand,
  payers: readonly Payer[],
  by: readonly ApiProcess[] = [stand.api],
  pace: Pick<LoadOrder, 'perSecond'> = {},
) {
  const count = options.payoutsPerRun;
  const baseUrls = by.map(({ url }) => url);
  const run = await load.run({ baseUrls, payers, count, connections: CONNECTIONS, ...pace });
  stand.payouts += count;
  const mb = by.includes(stand.api) ? await stand.api.memoryMb() : undefined;
  if (mb !== undefined) {
    stand.memory.push({ payouts: (stand.memory.at(-1)?.payouts ?? 0) + count / by.length, mb });
  }
  return run;
}

/** Runs each of them in its turn, as often as asked for. */
async function byTurns<Name extends string>(
  { runs, say }: HttpOptions,
  sides: Readonly<Record<Name, () => Promise<Load>>>,
): Promise<Measurement[]> {
  const names = Object.keys(sides) as Name[];
  const loads = new Map(names.map((name) => [name, [] as Load[]]));
  for (let turn = 0; turn < runs; turn += 1) {
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const run = await sides[name]();
      loads.get(name)?.push(run);
      say(`  ${name}: ${(run.waitsMs.length / run.seconds).toFixed(0)}/s`);
    }
  }
  return names.map((name) => measurementOf(name, loads.get(name) ?? [], { connections: CONNECTIONS }));
}

function compareBalances(options: HttpOptions, load: LoadProcess, stand: Stand): Promise<Measurement[]> {
  return byTurns(options, {
    http_many_balances: () => pay(options, load, stand, stand.many),
    http_one_hot_balance: () => pay(options, load, stand, stand.hot),
  });
}

/** What a caller waits while the service is not at its limit: as many connections, and half of the highest rate. */
async function measureHalfRate(options: HttpOptions, load: LoadProcess, stand: Stand, highestRate: number) {
  const run = await pay(options, load, stand, stand.many, [stand.api], { perSecond: highestRate / 2 });
  return measurementOf('http_at_half_rate', [run], { connections: CONNECTIONS });
}

function highestRateOf(measurements: readonly Measurement[]): number {
  return present(
    measurements.find(({ name }) => name === 'http_many_balances')?.perSecond,
    'the rate with many balances',
  );
}

/** The same callers, half of them on a second process of the program: one thread does not fill two cores. */
function compareProcesses(options: HttpOptions, load: LoadProcess, stand: Stand): Promise<Measurement[]> {
  return withSecond(options, { name: 'second_process' }, async (second) => {
    await warmUp(options, load, stand, second);
    return byTurns(options, {
      http_one_process: () => pay(options, load, stand, stand.many),
      http_two_processes: () => pay(options, load, stand, stand.many, [stand.api, second]),
    });
  });
}

/** A second process that keeps no API logs. */
function compareApiLogs(options: HttpOptions, load: LoadProcess, stand: Stand): Promise<Measurement[]> {
  const env = { PAYFERRY_API_LOGS_ENABLED: 'false' };
  return withSecond(options, { name: 'without_api_logs', env }, async (silent) => {
    await warmUp(options, load, stand, silent);
    return byTurns(options, {
      http_with_api_logs: () => pay(options, load, stand, stand.many),
      http_without_api_logs: () => pay(options, load, stand, stand.many, [silent]),
    });
  });
}

/** On the database of the first. */
async function withSecond<Result>(
  options: HttpOptions,
  { name, env = {} }: { readonly name: string; readonly env?: Readonly<Record<string, string>> },
  use: (second: ApiProcess) => Promise<Result>,
): Promise<Result> {
  const dataDir = await newDirectory(options, name);
  const second = await startApi({ dataDir, databaseUrl: databaseUrl(options.serverUrl, FIRST_DATABASE), env });
  try {
    return await use(second);
  } finally {
    await second.stop();
  }
}

/** A second database, filled, with a program of its own. The first holds only what was paid meanwhile. */
async function compareStored(options: HttpOptions, load: LoadProcess, empty: Stand, stands: Stand[]) {
  const full = await openStand(options, 'payferry_http_full', load);
  stands.push(full);
  options.say(`  filling up to ${options.storedTransactions} stored transactions ...`);
  const filled = await fillTransactions(
    databaseUrl(options.serverUrl, 'payferry_http_full'),
    options.storedTransactions,
  );
  full.payouts += options.storedTransactions;
  options.say(`  ${filled.transactions} stored in ${filled.seconds.toFixed(0)} s`);
  await pay(options, load, full, full.many);
  return byTurns(options, {
    http_nearly_empty: () => pay(options, load, empty, empty.many),
    http_stored_transactions: () => pay(options, load, full, full.many),
  });
}

/** Goes on until the program has made so many payouts, where the system tells how much memory it has. */
async function watchMemory(options: HttpOptions, load: LoadProcess, stand: Stand): Promise<readonly MemoryPoint[]> {
  const made = () => stand.memory.at(-1)?.payouts ?? options.payoutsForMemory;
  while (made() < options.payoutsForMemory) await pay(options, load, stand, stand.many);
  return stand.memory;
}

async function closeStand({ api, db, payouts }: Stand): Promise<void> {
  await api.stop();
  const [stored] = await db.query<{ count: bigint }>(`select count(*) as count from debits`);
  const { differences } = await verifyLedger(db);
  await db.close();
  assert(Number(stored?.count) === payouts, `${payouts} payouts were acknowledged, ${stored?.count} are stored`);
  assert(differences.length === 0, 'the books are right');
}
