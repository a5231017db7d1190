/**
 * `npm run bench`: starts a durable PostgreSQL, runs pgbench where there is one, then our own measurements on the same
 * server, and prints each as a figure and as a ratio to pgbench. `--json` prints JSON; the results also go to
 * bench/results/latest.json. `--seconds N` sets the length of pgbench, `--scale F` makes our counts smaller or larger.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../server/src/storage/embedded/supervisor.ts';
import { migrate } from '../server/src/storage/migrate.ts';
import { openPg } from '../server/src/storage/pg.ts';
import { databaseUrl } from '../test/support/database-url.ts';
import { defaultSettings, openBenchContext } from './context.ts';
import { createDatabase } from './database.ts';
import { measureFunding } from './fund.ts';
import type { Measurement } from './measure.ts';
import { type PgbenchResult, runPgbench } from './pgbench.ts';
import { measureStart } from './start.ts';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));
const FUNDINGS = 20_000;
const MANY_ACCOUNTS = 64;

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean' }, seconds: { type: 'string' }, scale: { type: 'string' } },
});
const seconds = Number(flags.seconds ?? 30);
const scale = Number(flags.scale ?? 1);
const say = (text: string) => {
  if (!flags.json) console.log(text);
};

const dataDir = await mkdtemp(join(tmpdir(), 'payferry-bench-'));
try {
  say('start to ready ...');
  const start = await measureStart();
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    say(`pgbench, ${seconds} s ...`);
    await createDatabase(server.url, 'pgbench');
    const pgbench = await runPgbench(databaseUrl(server.url, 'pgbench'), seconds);
    say('funding ...');
    const measurements = await measureAll(server.url);
    await report({ start, pgbench, postgresql: server.version, measurements });
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function measureAll(serverUrl: string): Promise<Measurement[]> {
  await createDatabase(serverUrl, 'payferry_bench');
  const url = databaseUrl(serverUrl, 'payferry_bench');
  await migrate(url);
  const settings = defaultSettings();
  const { poolSize, statementTimeoutMs } = settings.database;
  const db = openPg({ url, poolSize, statementTimeoutMs });
  const { ctx, close } = await openBenchContext(db, settings);
  const count = Math.round(FUNDINGS * scale);
  // The first run warms the program and the server up, and is not reported.
  await measureFunding(ctx, { name: 'warm-up', accounts: 4, count: Math.round(count / 4) });
  const measurements = [
    await measureFunding(ctx, { name: 'fund_one_hot_balance', accounts: 1, count }),
    await measureFunding(ctx, { name: 'fund_many_balances', accounts: MANY_ACCOUNTS, count }),
  ];
  await close();
  await db.close();
  return measurements;
}

async function report(run: {
  start: { newDirectoryMs: number; existingDirectoryMs: number };
  pgbench: PgbenchResult | undefined;
  postgresql: string;
  measurements: readonly Measurement[];
}): Promise<void> {
  const { start, pgbench, postgresql } = run;
  const measurements = run.measurements.map((one) => ({
    ...one,
    ratioToPgbench: pgbench ? one.perSecond / pgbench.tps : null,
  }));
  const result = {
    at: new Date().toISOString(),
    node: process.version,
    postgresql,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    durable: 'fsync on, synchronous_commit on',
    pgbench: pgbench ?? 'not on this machine: no ratio is claimed',
    start,
    measurements,
  };
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, 'latest.json'), `${JSON.stringify(result, null, 2)}\n`);
  if (flags.json) {
    console.log(JSON.stringify(result, null, 2));
    return;
  }
  console.log(`\nNode ${process.version}, PostgreSQL ${postgresql}, ${result.cores} cores; ${result.durable}`);
  console.log(`start to ready   new directory ${start.newDirectoryMs.toFixed(0)} ms`);
  console.log(`                 existing directory ${start.existingDirectoryMs.toFixed(0)} ms`);
  console.log(
    pgbench ? `pgbench          ${pgbench.tps.toFixed(0)} tps (${pgbench.arguments})` : String(result.pgbench),
  );
  for (const { name, perSecond, ratioToPgbench, p50Ms, p99Ms } of measurements) {
    const ratio = ratioToPgbench === null ? '' : `  ${ratioToPgbench.toFixed(2)} x pgbench`;
    console.log(
      `${name.padEnd(24)} ${perSecond.toFixed(0)}/s${ratio}  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`,
    );
  }
}
