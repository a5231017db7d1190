/** A small world in which nothing goes wrong by itself, for faults that are planted into it. */
import { drawCollections } from '../../simulate/actors/collections.ts';
import { drawPayouts } from '../../simulate/actors/payouts.ts';
import { drawSenders } from '../../simulate/actors/senders.ts';
import { Chance } from '../../simulate/chance.ts';
import type { Plan } from '../../simulate/plan.ts';
import type { Happening } from '../../simulate/stage.ts';

export const HOUR_MS = 3_600_000;
export const FOR_MS = 2 * HOUR_MS;

const TENANT = { name: 'shop', webhooks: 1, balances: { USD: 10n ** 7n, EUR: 10n ** 7n }, negativeBalance: false };
const CALM = { lives: 4, forMs: HOUR_MS, restless: 0 };
const PAYOUTS = { ...CALM, tenants: 1, cashPercent: 0 };

export function smallWorld(happenings: readonly Happening[]): Plan {
  return {
    seed: 1,
    flags: {},
    tenants: [TENANT, { ...TENANT, name: 'checked', kyc: 'review' }],
    processes: ['server'],
    deadlyStarts: [],
    providers: [{ name: 'alpha', temper: { trouble: 0, lies: 0 } }],
    payinProviders: [{ name: 'gamma', temper: { trouble: 0, lies: 0 } }],
    networkLossPercent: 0,
    happenings,
    forMs: FOR_MS,
  };
}

export function fourPayouts(): Happening[] {
  return drawPayouts(new Chance('planted'), PAYOUTS);
}

/** Of everything something. */
export function lively(): Happening[] {
  const chance = new Chance('planted');
  // One that is never funded, and expires after its hour; under a number that the others do not have.
  const unfunded = drawPayouts(chance.of('unfunded'), { ...PAYOUTS, lives: 20, restless: 100 })
    .slice(PAYOUTS.lives)
    .find(({ label }) => label.endsWith('create only'));
  return [
    ...fourPayouts(),
    ...(unfunded ? [unfunded] : []),
    ...drawCollections(chance.of('collections'), { ...CALM, tenants: 1 }),
    ...drawSenders(chance.of('senders'), { ...CALM, place: 1 }),
  ];
}
