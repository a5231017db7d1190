/** What is told of a seed that was run: small enough to go from one process to another. */
import { busyMonth, drawPlan, type Plan } from './plan.ts';
import { runSeed, type SeedResult } from './run-seed.ts';
import { shrink } from './shrink.ts';
import type { Workshop } from './workshop.ts';
import type { Counts, Violation } from './world.ts';

export interface SeedTask {
  readonly seed: number;
  readonly isMonth: boolean;
  readonly showsTrace: boolean;
}

export interface SeedReport {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly counts: Counts;
  readonly simulatedMs: number;
  readonly statements: number;
  /** Of the processor, by all threads, since the report before; the first has the start of its process in it. */
  readonly processorMs: number;
  /** For people, line by line. */
  readonly told: readonly string[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A person reads the end of a trace first, and not more than this. */
const MAX_SHOWN_LINES = 120;
let reportedMs = 0;

export async function reportOf(workshop: Workshop, { seed, isMonth, showsTrace }: SeedTask): Promise<SeedReport> {
  const plan = isMonth ? busyMonth(seed) : drawPlan(seed);
  const result = await runSeed(workshop, plan);
  const { violations, counts, simulatedMs, statements, trace, hash } = result;
  const told = [...(showsTrace ? trace.lines : []), `seed ${seed}: ${trace.count} lines, hash ${hash}`];
  // Making a failing seed smaller is no part of what it takes to run it.
  const processorMs = sinceLastReport();
  if (isMonth) told.push(tellMonth(plan, result));
  if (violations.length > 0) told.push(...(await tellFailure(workshop, plan, result)));
  sinceLastReport();
  return { seed, violations, counts, simulatedMs, statements, processorMs, told };
}

function sinceLastReport(): number {
  const { user, system } = process.cpuUsage();
  const nowMs = (user + system) / 1_000;
  const sinceMs = nowMs - reportedMs;
  reportedMs = nowMs;
  return sinceMs;
}

/** The measure of speed: a month in a minute. */
function tellMonth({ forMs }: Plan, { plannedTookMs }: SeedResult): string {
  return `${forMs / DAY_MS} days took ${(plannedTookMs / 1_000).toFixed(1)} seconds on the clock, start and end left out`;
}

async function tellFailure(workshop: Workshop, plan: Plan, failed: SeedResult): Promise<string[]> {
  const { plan: small, result, runs } = await shrink(workshop, plan, failed);
  return [
    `\nseed ${plan.seed} fails; once more: npm run simulate -- --seed ${plan.seed}`,
    ...failed.violations.map(({ invariant, what }) => `  ${invariant}: ${what}`),
    `shrunk from ${plan.happenings.length} to ${small.happenings.length} happenings in ${runs} runs:`,
    ...small.happenings.map(({ label, atMs }) => `  ${(atMs / MINUTE_MS).toFixed(1)} min  ${label}`),
    ...result.trace.lines.slice(-MAX_SHOWN_LINES),
  ];
}
