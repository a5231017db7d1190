/**
 * Whether a provider is given orders. Orders in a row that it turns down as a whole, or does not answer, pause it;
 * while it is paused it is asked at growing intervals whether it is back, and the first sign of life opens it again. An
 * operator can hold it and let it go; nothing else ends that. Pure: time is an argument.
 */
import { assert } from '../kernel/assert.ts';

export type ProviderHealth =
  | {
      readonly state: 'open';
      readonly downInRow: number;
      /** Orders that got no answer since the last good one: each counts once, however often it is asked about. */
      readonly silent: readonly string[];
    }
  | { readonly state: 'paused'; readonly since: Date; readonly probes: number; readonly probeAt: Date }
  | { readonly state: 'held'; readonly since: Date; readonly by: string };

export interface HealthRules {
  readonly pauseAfter: number;
  readonly probeEveryMs: number;
  readonly probeMaxMs: number;
}

/** What an answer tells of the provider: it works, it takes nothing, or there was none. */
export type Sign = 'alive' | 'down' | 'silent';

export const HEALTHY: ProviderHealth = { state: 'open', downInRow: 0, silent: [] };

/** An answer about the order with that reference, or none, has come. */
export function afterAnswer(
  health: ProviderHealth,
  answer: { readonly sign: Sign; readonly reference: string },
  now: Date,
  rules: HealthRules,
): ProviderHealth {
  if (health.state === 'held') return health;
  if (answer.sign === 'alive') return isSpotless(health) ? health : HEALTHY;
  if (health.state === 'paused') return health;
  const downInRow = health.downInRow + (answer.sign === 'down' ? 1 : 0);
  const isNew = answer.sign === 'silent' && !health.silent.includes(answer.reference);
  const silent = isNew ? [...health.silent, answer.reference] : health.silent;
  assert(silent.length <= rules.pauseAfter, 'a provider is paused before the list of silent orders grows long');
  if (downInRow + silent.length < rules.pauseAfter) return { state: 'open', downInRow, silent };
  return { state: 'paused', since: now, probes: 0, probeAt: later(now, rules.probeEveryMs) };
}

/** Whether it is time to ask a paused provider. */
export function isProbeDue(health: ProviderHealth, now: Date): boolean {
  return health.state === 'paused' && health.probeAt.getTime() <= now.getTime();
}

/** A paused provider was asked. Asked while it is not paused, nothing follows. */
export function afterProbe(health: ProviderHealth, isUp: boolean, now: Date, rules: HealthRules): ProviderHealth {
  if (health.state !== 'paused') return health;
  if (isUp) return HEALTHY;
  const probes = health.probes + 1;
  return { ...health, probes, probeAt: later(now, probeDelayMs(probes, rules)) };
}

/** An operator takes it out of service; repeated, the first one stands. */
export function hold(health: ProviderHealth, by: string, now: Date): ProviderHealth {
  return health.state === 'held' ? health : { state: 'held', since: now, by };
}

/** An operator puts it back into service, whatever kept it out. */
export function release(): ProviderHealth {
  return HEALTHY;
}

function isSpotless(health: ProviderHealth): boolean {
  return health.state === 'open' && health.downInRow === 0 && health.silent.length === 0;
}

/** Doubles each time, up to the longest. */
function probeDelayMs(probes: number, { probeEveryMs, probeMaxMs }: HealthRules): number {
  return Math.min(probeEveryMs * 2 ** probes, probeMaxMs);
}

function later(now: Date, byMs: number): Date {
  return new Date(now.getTime() + byMs);
}
