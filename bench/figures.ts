/**
 * The figures of a run, by name: numbers that can be compared with targets and from one run to the next. They stay as
 * they were measured: who rounds them before they are judged may find a target met that was missed.
 */
import type { CorridorFigures } from './corridors.ts';
import type { MemoryPoint } from './http/measure-http.ts';
import type { Measurement } from './measure.ts';
import type { PgbenchResult } from './pgbench.ts';
import type { ScreeningFigures } from './screening.ts';
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
  readonly screening?: ScreeningFigures | undefined;
}

export type Figures = Readonly<Record<string, number>>;

/** What is compared with what. */
const COMPARED = [
  ['http_one_hot_balance', 'http_many_balances', 'perSecond'],
  ['http_stored_transactions', 'http_nearly_empty', 'perSecond'],
  ['http_two_processes', 'http_one_process', 'perSecond'],
  ['http_with_api_logs', 'http_without_api_logs', 'perSecond'],
  ['webhooks_one_of_ten_dead', 'webhooks_at_half_rate', 'p99Ms'],
] as const;

export function figuresOf(run: BenchRun): Figures {
  const growth = growthOf(run.memory);
  return {
    ...(run.pgbench && { 'pgbench.per_second': run.pgbench.tps }),
    ...(run.start && {
      'start_new.ms': run.start.newDirectoryMs,
      'start_existing.ms': run.start.existingDirectoryMs,
    }),
    ...(run.corridors && { 'catalogue.ms': run.corridors.loadMs, 'recipient.micros': run.corridors.slowestMicros }),
    ...run.screening,
    ...Object.assign({}, ...run.measurements.map(figuresOfOne)),
    ...memoryOf(run.memory),
    ...(growth !== undefined && { 'memory.growth': growth }),
    ...(run.softLimitMicros !== undefined && { 'soft_limit.micros': run.softLimitMicros }),
  };
}

/** Rates as multiples of pgbench's, and of each other. Empty entries are left out: what was not measured has none. */
export function ratiosOf({ pgbench, measurements }: BenchRun): Figures {
  const named = new Map(measurements.map((one) => [one.name, one]));
  const toPgbench = pgbench
    ? measurements.map(({ name, perSecond }) => [`${name}.ratio`, perSecond / pgbench.tps] as const)
    : [];
  const toEachOther = COMPARED.flatMap(([name, to, what]) => {
    const [left, right] = [named.get(name)?.[what], named.get(to)?.[what]];
    return left === undefined || right === undefined || right === 0 ? [] : [[`${name}/${to}`, left / right] as const];
  });
  return Object.fromEntries([...toPgbench, ...toEachOther]);
}

function figuresOfOne({ name, perSecond, p50Ms, p99Ms, notes }: Measurement): Figures {
  const { lost } = notes;
  return {
    [`${name}.per_second`]: perSecond,
    // Where no waiting was measured there is none to tell.
    ...(p99Ms > 0 && { [`${name}.p50_ms`]: p50Ms, [`${name}.p99_ms`]: p99Ms }),
    ...(typeof lost === 'number' && { [`${name}.lost`]: lost }),
  };
}

/** So many payouts it takes to say something about memory. */
const MANY_PAYOUTS = 100_000;

function memoryOf(memory: readonly MemoryPoint[]): Figures {
  const last = memory.at(-1);
  if (last === undefined) return {};
  return {
    'memory.mb': last.mb,
    'memory.payouts': last.payouts,
    ...(last.payouts >= MANY_PAYOUTS && { 'memory_after_100000.mb': last.mb }),
  };
}

/** The last look against the one nearest to half of the payouts: about 1 where memory stays flat. */
function growthOf(memory: readonly MemoryPoint[]): number | undefined {
  const last = memory.at(-1);
  if (last === undefined || last.payouts < MANY_PAYOUTS) return undefined;
  const middle = memory.find((point) => point.payouts >= last.payouts / 2);
  return middle === undefined || middle === last ? undefined : last.mb / middle.mb;
}
