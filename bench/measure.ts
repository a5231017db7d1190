/**
 * Measurements: what was done, how often, how long. Bounded in count; nothing is asserted here but that it was right.
 */
export interface Measurement {
  readonly name: string;
  readonly perSecond: number;
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds that half, and 99 of 100, of the callers waited. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly notes: Readonly<Record<string, number | string>>;
}

export interface Load {
  readonly name: string;
  readonly count: number;
  readonly callers: number;
  /** Does the n-th thing and throws when the outcome is wrong. */
  readonly work: (index: number) => Promise<void>;
  readonly notes?: () => Readonly<Record<string, number | string>>;
}

/** Each caller does one thing after the other until all are done. */
export async function measure({ name, count, callers, work, notes }: Load): Promise<Measurement> {
  const waitsMs: number[] = [];
  let next = 0;
  const startedAtMs = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < count) {
        const index = next;
        next += 1;
        const fromMs = performance.now();
        await work(index);
        waitsMs.push(performance.now() - fromMs);
      }
    }),
  );
  const seconds = (performance.now() - startedAtMs) / 1_000;
  waitsMs.sort((left, right) => left - right);
  return {
    name,
    perSecond: count / seconds,
    count,
    seconds,
    p50Ms: percentile(waitsMs, 0.5),
    p99Ms: percentile(waitsMs, 0.99),
    notes: notes?.() ?? {},
  };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
