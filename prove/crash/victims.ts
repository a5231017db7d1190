/** Whom a kill hits, and how long it takes until the service answers again and the bank is given orders again. */
import { percentile } from '../../bench/measure.ts';
import type { Pulse } from './pulse.ts';

export interface KillRecord {
  readonly victim: string;
  /** From the kill to the answer that acknowledges a change that was asked for after it. */
  readonly acceptedMs: number;
  /** From the kill to an order that the bank pays and was given after the kill; its attempt may be older. */
  readonly paidMs: number;
}

/** An outage that is longer than this is no recovery. */
const MAX_OUTAGE_MS = 120_000;

export async function watchRecovery(
  victim: string,
  { accepted, paid }: { readonly accepted: Pulse; readonly paid: Pulse },
  kill: () => Promise<void>,
): Promise<KillRecord> {
  const killedAtMs = performance.now();
  await kill();
  const [acceptedMs, paidMs] = await Promise.all([
    accepted.next(killedAtMs, MAX_OUTAGE_MS),
    paid.next(killedAtMs, MAX_OUTAGE_MS),
  ]);
  return { victim, acceptedMs: Math.round(acceptedMs), paidMs: Math.round(paidMs) };
}

/** One kind of victim after the other: how often, and half and 99 of 100 recoveries within so many milliseconds. */
export function recoveryFacts(records: readonly KillRecord[]): Readonly<Record<string, number>> {
  const kinds = ['all', ...new Set(records.map(({ victim }) => kindOf(victim)))];
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const mine = records.filter(({ victim }) => kind === 'all' || kindOf(victim) === kind);
      return [
        [`${kind} kills`, mine.length] as const,
        ...shares(
          `${kind} to accepted`,
          mine.map(({ acceptedMs }) => acceptedMs),
        ),
        ...shares(
          `${kind} to paid`,
          mine.map(({ paidMs }) => paidMs),
        ),
      ];
    }),
  );
}

function kindOf(victim: string): string {
  return victim.replace(/-\d+$/, '');
}

function shares(name: string, timesMs: readonly number[]): (readonly [string, number])[] {
  const sorted = timesMs.toSorted((one, other) => one - other);
  return [
    [`${name} p50 ms`, Math.round(percentile(sorted, 0.5))],
    [`${name} p99 ms`, Math.round(percentile(sorted, 0.99))],
  ];
}
