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

/** For all victims and for each kind: how often, and within how many milliseconds half and 99 of 100 recovered. */
export function recoveryFacts(records: readonly KillRecord[]): Readonly<Record<string, number>> {
  const kinds = ['all', ...new Set(records.map(({ victim }) => kindOf(victim)))];
  return Object.assign({}, ...kinds.map((kind) => factsOf(kind, records)));
}

function factsOf(kind: string, records: readonly KillRecord[]): Readonly<Record<string, number>> {
  const mine = records.filter(({ victim }) => kind === 'all' || kindOf(victim) === kind);
  const within = (share: number, name: 'acceptedMs' | 'paidMs') =>
    percentile(
      mine.map((record) => record[name]).sort((one, other) => one - other),
      share,
    );
  return {
    [`${kind}Kills`]: mine.length,
    [`${kind}AcceptedP50Ms`]: within(0.5, 'acceptedMs'),
    [`${kind}AcceptedP99Ms`]: within(0.99, 'acceptedMs'),
    [`${kind}PaidP50Ms`]: within(0.5, 'paidMs'),
    [`${kind}PaidP99Ms`]: within(0.99, 'paidMs'),
  };
}

function kindOf(victim: string): string {
  return victim.replace(/-\d+$/, '');
}
