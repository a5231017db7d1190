/**
 * Makes a failing plan smaller: leaves out happenings, half of them, then a quarter, down to single ones, as long as
 * the same invariant still breaks. What is left is what a person has to read.
 */
import type { Plan } from './plan.ts';
import { runSeed, type SeedResult } from './run-seed.ts';
import { stopwatchMs } from './sealed/seal-process.ts';
import type { Happening } from './stage.ts';
import type { Workshop } from './workshop.ts';

/** A trace that is a little longer is better than none within the time that anybody waits. */
const SHRINK_LIMIT_MS = 180_000;

interface Shrunk {
  readonly plan: Plan;
  readonly result: SeedResult;
  readonly runs: number;
}

export async function shrink(
  workshop: Workshop,
  plan: Plan,
  failed: SeedResult,
  limitMs = SHRINK_LIMIT_MS,
): Promise<Shrunk> {
  const broken = failed.violations[0]?.invariant;
  const endMs = stopwatchMs() + limitMs;
  let best = { plan, result: failed };
  let runs = 0;
  let size = Math.ceil(plan.happenings.length / 2);
  while (size >= 1 && stopwatchMs() < endMs) {
    let hasShrunk = false;
    for (let from = 0; from < best.plan.happenings.length && stopwatchMs() < endMs; ) {
      const smaller = { ...best.plan, happenings: without(best.plan.happenings, from, size) };
      const result = await runSeed(workshop, smaller);
      runs += 1;
      if (result.violations[0]?.invariant === broken) {
        best = { plan: smaller, result };
        hasShrunk = true;
      } else from += size;
    }
    if (size === 1 && !hasShrunk) break;
    size = hasShrunk && size === 1 ? 1 : Math.floor(size / 2);
  }
  return { ...best, runs };
}

function without(happenings: readonly Happening[], from: number, count: number): Happening[] {
  return happenings.filter((_, place) => place < from || place >= from + count);
}
