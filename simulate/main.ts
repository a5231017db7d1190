/** `npm run simulate`: runs seeds, shows how far it is, and tells of a failing one its seed, its fault and a short trace. */
import { runTasks } from './jobs.ts';
import { readOptions, type SimulateOptions, USAGE } from './options.ts';
import type { SeedReport, SeedTask } from './report.ts';
import { areOfAnother, programHash, readResults, writeResults } from './results.ts';
import { stopwatchMs } from './sealed/seal-process.ts';
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
  if (options.resumes && areOfAnother(program)) {
    console.error('simulate/results.json is of another version of the program: begin anew, without --resume');
    return 2;
  }
  const part = options.isMonth ? 'month' : 'seeds';
  const totals = new Totals(options.resumes ? readResults(program)?.[part] : undefined);
  const write = () => options.writesResults && writeResults(program, { [part]: totals.summary() });
  let sinceWrite = 0;
  await runTasks(tasksOf(options, totals), jobsFor(options), (report) => {
    totals.add(report);
    tell(options, totals, report);
    sinceWrite = (sinceWrite + 1) % SEEDS_PER_WRITE;
    if (sinceWrite === 0) write();
  });
  write();
  console.log(`\n${JSON.stringify(totals.summary(), undefined, 2)}`);
  return totals.violations.length > 0 ? 1 : 0;
}

/** A single seed needs no second process, and a month is measured on one core. */
function jobsFor({ jobs, seeds, isMonth }: SimulateOptions): number {
  return isMonth ? 1 : Math.min(jobs, seeds?.length ?? Number.POSITIVE_INFINITY);
}

function* tasksOf(options: SimulateOptions, { done }: Totals): Generator<SeedTask> {
  const { isMonth, showsTrace, resumes } = options;
  for (const seed of seedsOf(options)) if (!resumes || !done.has(seed)) yield { seed, isMonth, showsTrace };
}

/** Fresh seeds begin at the time of day: no two long runs look at the same ones. */
function* seedsOf({ seeds, minutes, isMonth }: SimulateOptions): Generator<number> {
  const endMs = minutes === undefined ? Number.POSITIVE_INFINITY : stopwatchMs() + minutes * MINUTE_MS;
  if (minutes !== undefined && seeds === undefined) {
    for (let seed = Date.now(); stopwatchMs() < endMs; seed += 1) yield seed;
    return;
  }
  const usual = isMonth ? [1] : [...FIXED_SEEDS, ...REGRESSIONS.map(({ seed }) => seed)];
  for (const seed of seeds ?? usual) if (stopwatchMs() < endMs) yield seed;
}

function tell({ showsTrace }: SimulateOptions, totals: Totals, { told }: SeedReport): void {
  const { seeds, transactions, faults, crashes, simulatedDays, processorSeconds } = totals.summary();
  const line = `${seeds} seeds, ${transactions} transactions, ${faults} faults, ${crashes} crashes, ${simulatedDays} simulated days in ${processorSeconds} seconds of processor time, ${totals.violations.length} violations`;
  if (process.stderr.isTTY) process.stderr.write(`\r${line}   `);
  else if (!showsTrace) console.error(line);
  console.log(told.join('\n'));
}

process.exitCode = await main();
