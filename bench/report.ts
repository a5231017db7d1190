/** What a benchmark found, printed for people and as JSON. A ratio is claimed only where both sides were measured. */
import { cpus, totalmem } from 'node:os';
import type { CorridorFigures } from './corridors.ts';
import type { MemoryPoint } from './http/measure-http.ts';
import type { Measurement } from './measure.ts';
import type { PgbenchResult } from './pgbench.ts';
import type { StartTimes } from './start.ts';

export interface BenchRun {
  readonly form: string;
  readonly postgresql: string;
  readonly corridors?: CorridorFigures | undefined;
  readonly start?: StartTimes | undefined;
  readonly pgbench?: PgbenchResult | undefined;
  readonly measurements: readonly Measurement[];
  readonly memory: readonly MemoryPoint[];
  readonly softLimitMicros?: number | undefined;
}

/** What is compared with what, and the least that it should be. */
const COMPARED = [
  ['http_one_hot_balance', 'http_many_balances', 0.9],
  ['http_stored_transactions', 'http_nearly_empty', 0.8],
  ['http_with_api_logs', 'http_without_api_logs', null],
] as const;
const LEAST_RATIO_TO_PGBENCH = 0.6;
const MAX_P99_MS = 150;
const MAX_MEMORY_MB = 350;
const MAX_CATALOGUE_MS = 200;
const MAX_RECIPIENT_MICROS = 50;

export function resultOf(run: BenchRun) {
  const { pgbench, measurements, memory } = run;
  const rate = (name: string) => measurements.find((one) => one.name === name)?.perSecond;
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
    ratios: COMPARED.flatMap(([name, to, least]) => {
      const [left, right] = [rate(name), rate(to)];
      return left === undefined || right === undefined ? [] : [{ name, to, ratio: left / right, least }];
    }),
    ...(memory.length > 0 && { memory, memoryGrowth: growthOf(memory) }),
    ...(run.softLimitMicros !== undefined && { softLimitMicrosPerCall: run.softLimitMicros }),
  };
}

/** The last look against the one nearest to half of the payouts: about 1 where memory stays flat. */
function growthOf(memory: readonly MemoryPoint[]): number | null {
  const last = memory.at(-1);
  const middle = memory.filter((point) => point.payouts >= (last?.payouts ?? 0) / 2)[0];
  return last === undefined || middle === undefined || middle === last ? null : last.mb / middle.mb;
}

export type BenchResult = ReturnType<typeof resultOf>;

export function linesOf(result: BenchResult): string[] {
  const { pgbench, start, memory } = result;
  return [
    `Node ${result.node}, PostgreSQL ${result.postgresql}, ${result.cores} cores; ${result.durable}`,
    ...(result.corridors ? [corridorLine(result.corridors)] : []),
    ...(start
      ? [`start to ready: new directory ${ms(start.newDirectoryMs)}, existing ${ms(start.existingDirectoryMs)}`]
      : []),
    typeof pgbench === 'string' ? pgbench : `pgbench ${pgbench.tps.toFixed(0)} tps (${pgbench.arguments})`,
    ...result.measurements.map(measurementLine),
    ...result.ratios.map(({ name, to, ratio, least }) =>
      [
        `${name} : ${to}`.padEnd(52),
        ratio.toFixed(2),
        judged(least === null ? null : ratio >= least, `at least ${least}`),
      ].join(' '),
    ),
    ...(memory?.at(-1) ? memoryLines(result) : []),
    ...(result.softLimitMicrosPerCall === undefined
      ? []
      : [`counting a call for the soft limits: ${result.softLimitMicrosPerCall.toFixed(2)} µs`]),
  ];
}

function corridorLine({ loadMs, meanMicros, slowest, slowestMicros }: CorridorFigures): string {
  const isRight = loadMs < MAX_CATALOGUE_MS && slowestMicros < MAX_RECIPIENT_MICROS;
  const wanted = judged(isRight, `under ${MAX_CATALOGUE_MS} ms and ${MAX_RECIPIENT_MICROS} µs`);
  const one = `one recipient ${meanMicros.toFixed(1)} µs, slowest ${slowest} ${slowestMicros.toFixed(1)} µs`;
  return `corridors: all files read and checked in ${ms(loadMs)}, ${one} ${wanted}`;
}

function measurementLine({
  name,
  perSecond,
  ratioToPgbench,
  p50Ms,
  p99Ms,
}: BenchResult['measurements'][number]): string {
  const isHttp = name.startsWith('http_');
  const ratio = ratioToPgbench === null ? '' : `  ${ratioToPgbench.toFixed(2)} x pgbench`;
  const isRight = (ratioToPgbench ?? LEAST_RATIO_TO_PGBENCH) >= LEAST_RATIO_TO_PGBENCH && p99Ms < MAX_P99_MS;
  const wanted = judged(isHttp ? isRight : null, `${LEAST_RATIO_TO_PGBENCH} x pgbench, p99 under ${MAX_P99_MS} ms`);
  return `${name.padEnd(26)} ${perSecond.toFixed(0)}/s${ratio}  p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)} ${wanted}`.trimEnd();
}

function memoryLines({ memory, memoryGrowth }: BenchResult): string[] {
  const last = memory?.at(-1);
  if (last === undefined) return [];
  const growth =
    memoryGrowth === null || memoryGrowth === undefined ? '' : `, ${memoryGrowth.toFixed(2)} x that of the middle`;
  const wanted = judged(last.mb < MAX_MEMORY_MB, `under ${MAX_MEMORY_MB} MB`);
  return [`memory after ${last.payouts} payouts: ${last.mb.toFixed(0)} MB${growth} ${wanted}`];
}

function judged(isRight: boolean | null, wanted: string): string {
  return isRight === null ? '' : `(${isRight ? 'as wanted' : 'NOT as wanted'}: ${wanted})`;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
