/**
 * `npm run simulate`: runs seeds, shows how far it is, and tells of a failing one its seed, its fault and a short
 * trace.
 */
import { runTasks } from './jobs.ts';
import { readOptions, type SimulateOptions, USAGE } from './options.ts';
import { progressBar } from './progress.ts';
import type { SeedReport, SeedTask } from './report.ts';
import { programHash, type Results, resultsOf, seedsRun, writeResults } from './results.ts';
import { stopwatchMs } from './sealed/seal-process.ts';
import { SeedRanges } from './seed-ranges.ts';
import { FIXED_SEEDS, REGRESSIONS } from './seeds.ts';
import { Totals } from './totals.ts';

const MINUTE_MS = 60_000;
/** A run that is stopped loses no more than this. */
const SEEDS_PER_WRITE = 20;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const program = programHash();
  const part = options.isMonth ? 'month' : 'seeds';
  const totals = new Totals(options.resumes ? resultsOf(program)[part] : undefined);
  // A month is a measure of one version; a seed that held need not be run by every version.
  const done = options.resumes ? (options.isMonth ? totals.done : seedsRun()) : new SeedRanges();
  const write = () => (options.writesResults ? writeResults(program, { [part]: totals.summary() }) : undefined);
  const bar = barOf(options, done);
  let sinceWrite = 0;
  await runTasks(tasksOf(options, done), jobsFor(options), (report) => {
    totals.add(report);
    tell(options, totals, report, bar());
    sinceWrite = (sinceWrite + 1) % SEEDS_PER_WRITE;
    if (sinceWrite === 0) write();
  });
  const results = write();
  console.log(`\n${JSON.stringify(totals.summary(), undefined, 2)}`);
  if (results) tellAll(results);
  return totals.violations.length > 0 ? 1 : 0;
}

/** A single seed needs no second process, and a month is measured on one core. */
function jobsFor({ jobs, seeds, isMonth }: SimulateOptions): number {
  return isMonth ? 1 : Math.min(jobs, seeds?.length ?? Number.POSITIVE_INFINITY);
}

/** Until the time is up: what is under way then is finished. */
function* tasksOf(options: SimulateOptions, done: SeedRanges): Generator<SeedTask> {
  const { isMonth, showsTrace, minutes, isTwice } = options;
  const endMs = minutes === undefined ? Number.POSITIVE_INFINITY : stopwatchMs() + minutes * MINUTE_MS;
  for (const seed of seedsOf(options)) {
    if (stopwatchMs() >= endMs) return;
    if (done.has(seed)) continue;
    yield { seed, isMonth, showsTrace };
    if (isTwice) yield { seed, isMonth, showsTrace };
  }
}

/** Fresh seeds begin at the time of day: no two long runs look at the same ones. Who goes on begins with the first. */
function* seedsOf({ seeds, minutes, isMonth, resumes }: SimulateOptions): Generator<number> {
  const usual = isMonth ? [1] : [...FIXED_SEEDS, ...REGRESSIONS.map(({ seed }) => seed)];
  if (minutes === undefined || isMonth || seeds !== undefined) yield* seeds ?? usual;
  else for (let seed = resumes ? 1 : Date.now(); ; seed += 1) yield seed;
}

function tellAll({ all, versions }: Results): void {
  const { seeds, seedsOfPresentVersion, violations } = all;
  console.log(
    `simulate/results.json: ${seeds} seeds in all, ${seedsOfPresentVersion} with the present version, ` +
      `${violations} violations in ${versions.length} versions`,
  );
}

/** Gives the bar once more for each seed that has ended. */
function barOf(options: SimulateOptions, done: SeedRanges): () => string {
  const startMs = stopwatchMs();
  const isEndless = options.minutes !== undefined && options.seeds === undefined;
  const seeds = isEndless ? undefined : [...seedsOf(options)].filter((seed) => !done.has(seed)).length;
  const forMs = options.minutes === undefined ? undefined : options.minutes * MINUTE_MS;
  let ended = 0;
  return () => {
    ended += 1;
    return progressBar({ forMs, seeds }, stopwatchMs() - startMs, ended);
  };
}

function tell({ showsTrace }: SimulateOptions, totals: Totals, { told }: SeedReport, bar: string): void {
  const { seeds, transactions, faults, crashes, simulatedDays, processorSeconds } = totals.summary();
  const line = `${seeds} seeds, ${transactions} transactions, ${faults} faults, ${crashes} crashes, ${simulatedDays} simulated days in ${processorSeconds} seconds of processor time, ${totals.violations.length} violations`;
  if (process.stderr.isTTY) process.stderr.write(`\r${bar} ${line}   `);
  else if (!showsTrace) console.error(line);
  console.log(told.join('\n'));
}

process.exitCode = await main();
