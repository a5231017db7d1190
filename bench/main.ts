/**
 * `npm run bench`: starts a durable PostgreSQL, runs pgbench where there is one, then our own measurements on the same
 * server, and prints each as a figure and as a ratio to pgbench, and which targets are met. A run of all parts is kept:
 * in bench/results/latest.json, as a line of bench/results/history.json, and drawn in docs/benchmarks.md.
 *
 * `--full` adds what takes minutes: a million stored transactions, memory over 100,000 payouts, and ten minutes from
 * end to end. `--only http` runs one part (corridors, screening, start, fund, payouts, webhooks, http or end-to-end)
 * and keeps nothing; with `--keep` it adds its line to the history. `--json` prints JSON; `--seconds N` sets the length
 * of pgbench; `--scale F` makes our counts and times smaller or larger.
 */
import { fork, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Context } from '../server/src/context.ts';
import { systemClock } from '../server/src/kernel/clock.ts';
import { startEmbeddedPostgres } from '../server/src/storage/embedded/supervisor.ts';
import { migrate } from '../server/src/storage/migrate.ts';
import { openPg } from '../server/src/storage/pg.ts';
import { databaseUrl } from '../test/support/database-url.ts';
import { defaultSettings, openBenchContext } from './context.ts';
import { measureCorridors } from './corridors.ts';
import { createDatabase, settle } from './database.ts';
import { measureEndToEnd } from './end-to-end.ts';
import type { BenchRun } from './figures.ts';
import { measureFunding } from './fund.ts';
import { appendHistory, lineOf } from './history.ts';
import { writePages } from './history-page.ts';
import { type HttpResult, measureHttp } from './http/measure-http.ts';
import { measureSoftLimits } from './http/soft-limits.ts';
import type { Measurement } from './measure.ts';
import { measurePayouts } from './payouts.ts';
import { runPgbench } from './pgbench.ts';
import { linesOf, resultOf } from './report.ts';
import type { ScreeningFigures } from './screening.ts';
import { measureStart } from './start.ts';
import { measureWebhooks } from './webhooks.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));
const FUNDINGS = 20_000;
const MANY_ACCOUNTS = 64;
const WEBHOOKS = 20_000;

/** Counts of the HTTP part. */
const QUICK = { payoutsPerRun: 10_000, runs: 2, storedTransactions: 0, payoutsForMemory: 0 };
const FULL = { payoutsPerRun: 10_000, runs: 4, storedTransactions: 1_000_000, payoutsForMemory: 150_000 };

/** Payouts that wait to be paid. */
const BACKLOG = { quick: 10_000, full: 100_000 };

/** How long payouts go from end to end. */
const END_TO_END_SECONDS = { quick: 15, full: 600 };

const PARTS = ['corridors', 'screening', 'start', 'fund', 'payouts', 'webhooks', 'http', 'end-to-end'] as const;
type Part = (typeof PARTS)[number];

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean' },
    full: { type: 'boolean' },
    only: { type: 'string' },
    keep: { type: 'boolean' },
    seconds: { type: 'string' },
    scale: { type: 'string' },
  },
});
const seconds = Number(flags.seconds ?? 30);
const scale = Number(flags.scale ?? 1);
const isAsked = (part: Part) => flags.only === undefined || flags.only === part;
const say = (text: string) => {
  if (!flags.json) console.log(text);
};
if (!PARTS.some(isAsked)) throw new Error(`--only takes one of ${PARTS.join(', ')}`);

// What is measured is the program as it is built.
spawnSync(process.execPath, ['scripts/build.js'], { cwd: ROOT, stdio: 'inherit' });
const workDir = await mkdtemp(join(tmpdir(), 'payferry-bench-'));
try {
  await report(await measureParts(workDir));
} finally {
  await rm(workDir, { recursive: true, force: true });
}

async function measureParts(directory: string): Promise<BenchRun> {
  const corridors = isAsked('corridors') ? measureCorridors() : undefined;
  if (isAsked('screening')) say('screening ...');
  const screening = isAsked('screening') ? await measureScreening() : undefined;
  if (isAsked('start')) say('start to ready ...');
  const start = isAsked('start') ? await measureStart() : undefined;
  const server = await startEmbeddedPostgres({ dataDir: join(directory, 'database') });
  try {
    say(`pgbench, ${seconds} s ...`);
    await createDatabase(server.url, 'pgbench');
    const pgbench = await runPgbench(databaseUrl(server.url, 'pgbench'), seconds);
    const funding = isAsked('fund') ? await measureFundings(server.url) : [];
    const payouts = isAsked('payouts') ? await measureBacklog(server.url) : [];
    const webhooks = isAsked('webhooks') ? await measureEvents(server.url) : [];
    const http = isAsked('http') ? await measureCalls(server.url, directory) : undefined;
    const endToEnd = isAsked('end-to-end') ? [await measureWholeWay(server.url, directory)] : [];
    return {
      form: `${flags.full ? 'full' : 'quick'}${flags.only === undefined ? '' : `, ${flags.only} only`}`,
      postgresql: server.version,
      corridors,
      screening,
      start,
      pgbench,
      measurements: [...funding, ...payouts, ...webhooks, ...(http?.measurements ?? []), ...endToEnd],
      memory: http?.memory ?? [],
      softLimitMicros: http?.softLimitMicros,
    };
  } finally {
    await server.stop();
  }
}

/** The program's own context on a database of its own. */
async function withContext<T>(serverUrl: string, name: string, work: (ctx: Context) => Promise<T>): Promise<T> {
  await createDatabase(serverUrl, name);
  const url = databaseUrl(serverUrl, name);
  await migrate(url);
  await settle(serverUrl);
  const settings = defaultSettings();
  const { poolSize, statementTimeoutMs } = settings.database;
  const db = openPg({ url, poolSize, statementTimeoutMs });
  const { ctx, close } = await openBenchContext(db, settings);
  try {
    return await work(ctx);
  } finally {
    await close();
    await db.close();
  }
}

function measureFundings(serverUrl: string): Promise<Measurement[]> {
  say('funding ...');
  return withContext(serverUrl, 'payferry_bench', async (ctx) => {
    const count = Math.round(FUNDINGS * scale);
    // The first run warms the program and the server up, and is not reported.
    await measureFunding(ctx, { name: 'warm-up', accounts: 4, count: Math.round(count / 4) });
    return [
      await measureFunding(ctx, { name: 'fund_one_hot_balance', accounts: 1, count }),
      await measureFunding(ctx, { name: 'fund_many_balances', accounts: MANY_ACCOUNTS, count }),
    ];
  });
}

function measureBacklog(serverUrl: string): Promise<Measurement[]> {
  say('payouts ...');
  return withContext(serverUrl, 'payferry_payouts', async (ctx) => {
    const count = Math.round((flags.full ? BACKLOG.full : BACKLOG.quick) * scale);
    await measurePayouts(ctx, { name: 'warm-up', accounts: 4, count: Math.round(BACKLOG.quick / 4) });
    return [await measurePayouts(ctx, { name: 'payouts_paid', accounts: MANY_ACCOUNTS, count })];
  });
}

function measureEvents(serverUrl: string): Promise<Measurement[]> {
  say('webhooks ...');
  return withContext(serverUrl, 'payferry_webhooks', (ctx) =>
    measureWebhooks(ctx, { count: Math.round(WEBHOOKS * scale) }),
  );
}

async function measureCalls(
  serverUrl: string,
  directory: string,
): Promise<HttpResult & { readonly softLimitMicros: number }> {
  say('create_and_fund over HTTP ...');
  const counts = flags.full ? FULL : QUICK;
  const measured = await measureHttp({
    serverUrl,
    workDir: directory,
    say,
    runs: counts.runs,
    payoutsPerRun: Math.round(counts.payoutsPerRun * scale),
    storedTransactions: Math.round(counts.storedTransactions * scale),
    payoutsForMemory: Math.round(counts.payoutsForMemory * scale),
  });
  const limitsDb = openPg({ url: databaseUrl(serverUrl, 'payferry_http'), poolSize: 2, statementTimeoutMs: 1_000 });
  const softLimitMicros = measureSoftLimits({ db: limitsDb, clock: systemClock, settings: defaultSettings() });
  await limitsDb.close();
  return { ...measured, softLimitMicros };
}

/** A process of its own, because its lists take much memory and its collections are counted. */
function measureScreening(): Promise<ScreeningFigures> {
  const path = fileURLToPath(new URL('./screening.ts', import.meta.url));
  const child = fork(path, [], {
    execArgv: [...process.execArgv, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (figures: ScreeningFigures) => resolve(figures));
    child.once('exit', (code) => reject(new Error(`the measurement of the screening ended with ${code}`)));
  });
}

function measureWholeWay(serverUrl: string, directory: string): Promise<Measurement> {
  const length = (flags.full ? END_TO_END_SECONDS.full : END_TO_END_SECONDS.quick) * scale;
  say(`from end to end, ${length} s ...`);
  return measureEndToEnd({ serverUrl, workDir: directory, seconds: length, say });
}

async function report(run: BenchRun): Promise<void> {
  const result = resultOf(run);
  const json = `${JSON.stringify(result, null, 2)}\n`;
  if (flags.only === undefined) {
    await mkdir(RESULTS, { recursive: true });
    await writeFile(join(RESULTS, 'latest.json'), json);
  }
  if (flags.only === undefined || flags.keep) writePages(appendHistory(lineOf(run, new Date(result.at))));
  console.log(flags.json ? json : ['', ...linesOf(result)].join('\n'));
}
