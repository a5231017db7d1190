/** What a benchmark found, printed for people and as JSON. A ratio is claimed only where both sides were measured. */
import { cpus, totalmem } from 'node:os';
import type { CorridorFigures } from './corridors.ts';
import { type BenchRun, figuresOf, ratiosOf } from './figures.ts';
import { judge, shown, verdictLine } from './targets.ts';

export function resultOf(run: BenchRun) {
  const { pgbench, measurements, memory } = run;
  const [figures, ratios] = [figuresOf(run), ratiosOf(run)];
  return {
    at: new Date().toISOString(),
    form: run.form,
    node: process.version,
    postgresql: run.postgresql,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    durable: 'fsync on, synchronous_commit on',
    pgbench: pgbench ?? 'not on this machine: no ratio is claimed',
    ...(run.corridors && { corridors: run.corridors }),
    ...(run.start && { start: run.start }),
    measurements: measurements.map((one) => ({ ...one, ratioToPgbench: pgbench ? one.perSecond / pgbench.tps : null })),
    ...(memory.length > 0 && { memory }),
    figures,
    ratios,
    targets: judge({ ...figures, ...ratios }),
  };
}

type BenchResult = ReturnType<typeof resultOf>;

export function linesOf(result: BenchResult): string[] {
  const { pgbench, start, figures, ratios } = result;
  const betweenOurs = Object.entries(ratios).filter(([name]) => name.includes('/'));
  return [
    `Node ${result.node}, PostgreSQL ${result.postgresql}, ${result.cores} cores; ${result.durable}`,
    ...(result.corridors ? [corridorLine(result.corridors)] : []),
    ...(start
      ? [`start to ready: new directory ${ms(start.newDirectoryMs)}, existing ${ms(start.existingDirectoryMs)}`]
      : []),
    typeof pgbench === 'string' ? pgbench : `pgbench ${pgbench.tps.toFixed(0)} tps (${pgbench.arguments})`,
    ...result.measurements.map(measurementLine),
    ...betweenOurs.map(([name, ratio]) => `${name.replace('/', ' : ').padEnd(52)} ${ratio.toFixed(2)}`),
    ...memoryLines(result),
    ...('soft_limit.micros' in figures
      ? [`counting a call for the soft limits: ${shown(figures['soft_limit.micros'] ?? 0)} µs`]
      : []),
    ...(result.targets.length > 0 ? ['', 'Targets', ...result.targets.map(verdictLine)] : []),
  ];
}

function corridorLine({ loadMs, meanMicros, slowest, slowestMicros }: CorridorFigures): string {
  const one = `one recipient ${meanMicros.toFixed(1)} µs, slowest ${slowest} ${slowestMicros.toFixed(1)} µs`;
  return `corridors: all files read and checked in ${ms(loadMs)}, ${one}`;
}

function measurementLine(one: BenchResult['measurements'][number]): string {
  const ratio = one.ratioToPgbench === null ? '' : `  ${one.ratioToPgbench.toFixed(2)} x pgbench`;
  const waits = `p50 ${ms(one.p50Ms)}  p99 ${ms(one.p99Ms)}`;
  return `${one.name.padEnd(26)} ${one.perSecond.toFixed(0)}/s${ratio}  ${waits}`;
}

function memoryLines({ memory, figures }: BenchResult): string[] {
  const last = memory?.at(-1);
  if (last === undefined) return [];
  const growth = figures['memory.growth'];
  const grown = growth === undefined ? '' : `, ${growth.toFixed(2)} x that of the middle`;
  return [`memory after ${last.payouts} payouts: ${last.mb.toFixed(0)} MB${grown}`];
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
