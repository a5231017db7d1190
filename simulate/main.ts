/** `npm run simulate`: runs seeds, shows how far it is, and tells of a failing one its seed, its fault and a short trace. */
import { writeFileSync } from 'node:fs';
import { readOptions, type SimulateOptions, USAGE } from './options.ts';
import { busyMonth, drawPlan } from './plan.ts';
import { runSeed, type SeedResult } from './run-seed.ts';
import { stopwatchMs } from './sealed/seal-process.ts';
import { FIXED_SEEDS, REGRESSIONS } from './seeds.ts';
import { shrink } from './shrink.ts';
import { Totals } from './totals.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const MINUTE_MS = 60_000;
/** A person reads the end of a trace first, and not more than this. */
const MAX_SHOWN_LINES = 120;
const RESULTS = new URL('results.json', import.meta.url);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const workshop = await openWorkshop();
  const totals = new Totals();
  for (const seed of seedsOf(options)) {
    const plan = options.isMonth ? busyMonth(seed) : drawPlan(seed);
    const result = await runSeed(workshop, plan);
    totals.add(result);
    progress(options, totals);
    if (options.showsTrace) console.log(result.trace.lines.join('\n'));
    console.log(`seed ${seed}: ${result.trace.count} lines, hash ${result.hash}`);
    if (result.violations.length > 0) await tell(workshop, plan, result);
  }
  const summary = totals.summary();
  console.log(`\n${JSON.stringify(summary, undefined, 2)}`);
  if (options.writesResults) writeFileSync(RESULTS, `${JSON.stringify(summary, undefined, 2)}\n`);
  return totals.violations.length > 0 ? 1 : 0;
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

function progress({ showsTrace }: SimulateOptions, totals: Totals): void {
  const { seeds, transactions, faults, crashes, simulatedDays, minutes } = totals.summary();
  const line = `${seeds} seeds, ${transactions} transactions, ${faults} faults, ${crashes} crashes, ${simulatedDays} simulated days in ${minutes} minutes, ${totals.violations.length} violations`;
  if (process.stderr.isTTY) process.stderr.write(`\r${line}   `);
  else if (!showsTrace) console.error(line);
}

async function tell(workshop: Workshop, plan: ReturnType<typeof drawPlan>, failed: SeedResult): Promise<void> {
  console.log(`\nseed ${plan.seed} fails; once more: npm run simulate -- --seed ${plan.seed}`);
  for (const { invariant, what } of failed.violations) console.log(`  ${invariant}: ${what}`);
  const { plan: small, result, runs } = await shrink(workshop, plan, failed);
  console.log(`shrunk from ${plan.happenings.length} to ${small.happenings.length} happenings in ${runs} runs:`);
  for (const { label, atMs } of small.happenings) console.log(`  ${(atMs / MINUTE_MS).toFixed(1)} min  ${label}`);
  console.log(result.trace.lines.slice(-MAX_SHOWN_LINES).join('\n'));
}

process.exitCode = await main();
