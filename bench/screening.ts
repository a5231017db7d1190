/**
 * `npx tsx bench/screening.ts`: makes a list of 50,000 invented entries and labelled sets from a seed, writes the list
 * to a file, loads it as the service would, and prints recall, precision, the time of one name, the time and the pauses
 * of loading, and memory. `--seed N`, `--entries N`, `--each N` (subjects on the list; as many are not). Processor time
 * is that of the whole process, so the collector's threads are in it; the clock also counts other work on the machine.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { keepLists } from '../server/src/screening/kept-lists.ts';
import type { SenderScreening } from '../server/src/screening/sender-screening.ts';
import { SCREENING_ROWS } from '../server/src/settings/rows-screening.ts';
import { evaluate } from '../test/screening/labelled/evaluate.ts';
import { type LabelledSubject, labelledSet, type SetName } from '../test/screening/labelled/labelled-set.ts';
import { openSanctionsCsv } from '../test/screening/labelled/write-list.ts';
import { percentile } from './measure.ts';
import { judge, verdictLine } from './targets.ts';

/** What the benchmark as a whole is told, where this runs as a part of it. */
export interface ScreeningFigures {
  readonly 'screening.p50_ms': number;
  readonly 'screening.p99_ms': number;
  readonly 'screening.recall': number;
  readonly 'screening.precision': number;
}

const NANOSECONDS_PER_MS = 1e6;
const BYTES_PER_MB = 2 ** 20;
const WARM_UP = 200;

const { values: flags } = parseArgs({
  options: { seed: { type: 'string' }, entries: { type: 'string' }, each: { type: 'string' } },
});
const seed = Number(flags.seed ?? 20261115);
const entries = Number(flags.entries ?? 50_000);
const each = Number(flags.each ?? 2_000);
const threshold = Number(SCREENING_ROWS.find(({ key }) => key === 'screening.threshold')?.default);

const set = labelledSet({ seed, entries, each });
const directory = await mkdtemp(join(tmpdir(), 'payferry-screening-'));
try {
  const path = join(directory, 'targets.simple.csv');
  await writeFile(path, openSanctionsCsv(set.entries));
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, seed ${seed}`);
  const screening = await load(path);
  const { usual, hard } = set.subjects;
  // The targets are those of the usual changes.
  const figures: ScreeningFigures = { ...measureNames(screening, usual), ...evaluated('usual', screening, usual) };
  evaluated('hard', screening, hard);
  // The time is on the clock: other work on the machine counts.
  for (const verdict of judge({ ...figures })) console.log(verdictLine(verdict));
  process.send?.(figures);
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function load(path: string): Promise<SenderScreening> {
  globalThis.gc?.();
  const before = memoryMb();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAtMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const longestTurnMs = watchTurns();
  const kept = await keepLists([{ format: 'opensanctions-csv', path }], threshold);
  const turnMs = longestTurnMs();
  const cpu = process.cpuUsage(cpuBefore);
  delay.disable();
  globalThis.gc?.();
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  const longestMs = delay.max / NANOSECONDS_PER_MS;
  console.log(`${kept.entries()} entries loaded in ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of processor)`);
  console.log(
    `longest pause while loading ${ms(turnMs)} of processor; on the clock ${longestMs.toFixed(0)} ms, 99 of 100 under ${ms(delay.percentile(99) / NANOSECONDS_PER_MS)}`,
  );
  const collected = globalThis.gc ? 'after collecting garbage' : 'run with node --expose-gc for what is really held';
  console.log(`memory taken by the lists ${(memoryMb() - before).toFixed(0)} MB (${collected})`);
  return kept;
}

/** The most processor time that passes between two turns of the event loop, until it is asked for. */
function watchTurns(): () => number {
  let [longest, isOver, last] = [0, false, cpuMs()];
  const turn = (): void => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isOver = true;
    return longest;
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function memoryMb(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + Math.max(external, arrayBuffers)) / BYTES_PER_MB;
}

function measureNames(screening: SenderScreening, subjects: readonly LabelledSubject[]) {
  for (const { subject } of subjects.slice(0, WARM_UP)) screening.screen(subject);
  const [clock, processor]: [number[], number[]] = [[], []];
  for (const { subject } of subjects) {
    const [from, cpuFrom] = [performance.now(), cpuMs()];
    screening.screen(subject);
    processor.push(cpuMs() - cpuFrom);
    clock.push(performance.now() - from);
  }
  const mean = processor.reduce((sum, each) => sum + each, 0) / processor.length;
  for (const times of [clock, processor]) times.sort((left, right) => left - right);
  const [p50, p99] = [percentile(clock, 0.5), percentile(clock, 0.99)];
  console.log(`one name on the clock: p50 ${ms(p50)}, p99 ${ms(p99)}`);
  console.log(
    `  of processor: mean ${ms(mean)}, p50 ${ms(percentile(processor, 0.5))}, p99 ${ms(percentile(processor, 0.99))}`,
  );
  return { 'screening.p50_ms': p50, 'screening.p99_ms': p99 };
}

function evaluated(name: SetName, screening: SenderScreening, subjects: readonly LabelledSubject[]) {
  const { recall, precision, hitsEach, missed, mistaken } = evaluate(screening, subjects);
  console.log(`${name}: threshold ${threshold}, ${each} subjects on the list and ${each} near misses`);
  console.log(`recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}`);
  console.log(`entries shown for a subject on the list: ${hitsEach.toFixed(1)}`);
  console.log(`missed: ${counts(missed)}`);
  console.log(`mistaken: ${counts(mistaken)}`);
  return { 'screening.recall': recall, 'screening.precision': precision };
}

function counts(by: ReadonlyMap<string, number>): string {
  const sorted = [...by].sort((left, right) => right[1] - left[1]);
  return sorted.map(([how, count]) => `${how} (${count})`).join('; ') || 'none';
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
