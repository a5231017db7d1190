/**
 * What a seed is made of: who is there, what they will do and what will go wrong, all drawn before anything runs. Each
 * happening stands alone, so that shrinking can leave any of them out.
 */
import type { KycKind } from '../server/src/accounts/account.ts';
import { drawBadRequests } from './actors/bad-requests.ts';
import { drawCollections } from './actors/collections.ts';
import { drawDebitLists } from './actors/debit-lists.ts';
import { drawOperator } from './actors/operator.ts';
import { drawPayinOperators } from './actors/payin-operators.ts';
import { drawPayouts } from './actors/payouts.ts';
import { drawRefusedChanges } from './actors/refused-changes.ts';
import { drawReviewOperators } from './actors/review-operators.ts';
import { drawSenders } from './actors/senders.ts';
import { Chance } from './chance.ts';
import { drawClockJumps } from './disturbances/clock-jumps.ts';
import { drawDeadlyStart, drawMishaps } from './disturbances/mishaps.ts';
import { drawOutages } from './disturbances/outages.ts';
import type { Temper } from './outside/fates.ts';
import type { DeadlyStart } from './process.ts';
import type { Happening, TenantPlan } from './stage.ts';

export interface Plan {
  readonly seed: number;
  readonly flags: Readonly<Record<string, string>>;
  readonly tenants: readonly TenantPlan[];
  readonly processes: readonly string[];
  /** Of the first processes, on a database in which nothing is yet. */
  readonly deadlyStarts: readonly DeadlyStart[];
  readonly providers: readonly { readonly name: string; readonly temper: Temper }[];
  readonly payinProviders: Plan['providers'];
  readonly networkLossPercent: number;
  readonly happenings: readonly Happening[];
  readonly forMs: number;
}

const HOUR_MS = 3_600_000;
/** Transactions of a seed, those in lists of debits not counted: payouts, collections, and those of checked senders. */
const LIVES = 29;
const COLLECTIONS = 21;
const CHECKED_SENDERS = 11;
const REVIEW_ROUNDS = 6;
/** How many of the first starts that may be deadly are. */
const FIRST_START_PERCENT = 30;
/** How often lists are asked also about senders who are approved at once. */
const WAIVED_SCREENED_PERCENT = 40;
const SCREENS_WAIVED = { sendersScreenWaived: 'true', screeningLists: 'un-xml:kept by outside/lists.ts' };

/** From quiet to rough, so that what only comes in quiet times is seen as well. */
const WEATHERS = {
  quiet: {
    trouble: 5,
    lies: 0,
    restless: 20,
    faults: 0,
    crashes: 0,
    sleeps: 0,
    starts: 0,
    jumps: 0,
    outages: 0,
    loss: 0,
  },
  usual: {
    trouble: 30,
    lies: 1,
    restless: 50,
    faults: 12,
    crashes: 3,
    sleeps: 6,
    starts: 2,
    jumps: 2,
    outages: 3,
    loss: 1,
  },
  rough: {
    trouble: 60,
    lies: 6,
    restless: 80,
    faults: 40,
    crashes: 8,
    sleeps: 10,
    starts: 5,
    jumps: 5,
    outages: 6,
    loss: 4,
  },
} as const;

export function drawPlan(seed: number): Plan {
  const chance = new Chance(`plan ${seed}`);
  const weather =
    WEATHERS[
      chance.weighted<keyof typeof WEATHERS>([
        [1, 'quiet'],
        [5, 'usual'],
        [4, 'rough'],
      ])
    ];
  const tenants = chance.between(2, 3);
  const forMs = chance.pick([2, 8, 30]) * HOUR_MS;
  const { faults, crashes, sleeps, starts, jumps, outages } = weather;
  const shape = { tenants, forMs };
  const screensWaived = chance.of('screening').percent(WAIVED_SCREENED_PERCENT);
  const kyc = screensWaived ? chance.of('kyc').pick<KycKind>(['waived', 'review']) : 'review';
  return {
    seed,
    flags: { ...drawFlags(chance.of('settings')), ...(screensWaived && SCREENS_WAIVED) },
    tenants: [
      ...Array.from({ length: tenants }, (_, place) => drawTenant(chance.of(`tenant ${place}`), place)),
      { ...drawTenant(chance.of('checked tenant'), tenants), kyc },
    ],
    processes: chance.percent(70) ? ['server-a', 'server-b'] : ['server-a'],
    deadlyStarts: Array.from({ length: starts }, (_, number) => chance.of(`first start ${number}`))
      .filter((own) => own.percent(FIRST_START_PERCENT))
      .map(drawDeadlyStart),
    providers: ['alpha', 'beta'].map((name) => ({ name, temper: weather })),
    payinProviders: ['gamma', 'delta'].map((name) => ({ name, temper: weather })),
    networkLossPercent: weather.loss,
    happenings: [
      ...drawPayouts(chance.of('payouts'), { ...shape, lives: LIVES, restless: weather.restless, cashPercent: 25 }),
      ...drawCollections(chance.of('collections'), { ...shape, lives: COLLECTIONS, restless: weather.restless }),
      ...drawPayinOperators(chance.of('payin operators'), { rounds: 4, forMs }),
      ...drawSenders(chance.of('senders'), {
        place: tenants,
        lives: CHECKED_SENDERS,
        forMs,
        restless: weather.restless,
      }),
      ...drawReviewOperators(chance.of('reviews'), { rounds: REVIEW_ROUNDS, rules: 2, tenants: tenants + 1, forMs }),
      ...drawBadRequests(chance.of('bad requests'), { ...shape, requests: 6 }),
      ...drawRefusedChanges(chance.of('refused changes'), { ...shape, lives: 2 }),
      ...drawDebitLists(chance.of('lists'), { ...shape, lists: 2 }),
      ...drawOperator(chance.of('operator'), { rounds: 4, holds: outages > 0 ? 1 : 0, forMs }),
      ...drawMishaps(chance.of('mishaps'), { faults, crashes, sleeps, starts, forMs }),
      ...drawClockJumps(chance.of('jumps'), { jumps, forMs }),
      ...drawOutages(chance.of('outages'), { providers: outages, receivers: outages, forMs }),
    ],
    forMs,
  };
}

const DAY_MS = 24 * HOUR_MS;
const BUSY_DAYS = 30;
const BUSY_PER_DAY = 60;

/** The measure of speed: a tenant with 60 transactions a day, their retries and webhooks, for a month. */
export function busyMonth(seed: number): Plan {
  const chance = new Chance(`month ${seed}`);
  const forMs = BUSY_DAYS * DAY_MS;
  const lives = BUSY_DAYS * BUSY_PER_DAY;
  const temper = { trouble: 10, lies: 0 };
  return {
    seed,
    flags: PACE,
    tenants: [{ name: 'shop0', webhooks: 1, balances: { USD: 10n ** 9n, EUR: 10n ** 9n }, negativeBalance: false }],
    processes: ['server-a'],
    deadlyStarts: [],
    providers: ['alpha', 'beta'].map((name) => ({ name, temper })),
    payinProviders: [],
    networkLossPercent: 0,
    happenings: [
      ...drawPayouts(chance.of('payouts'), { tenants: 1, forMs, lives, restless: 10, cashPercent: 10 }),
      ...drawOperator(chance.of('operator'), { rounds: BUSY_DAYS, holds: 0, forMs }),
    ],
    forMs,
  };
}

/** While a call is under way time goes from timer to timer: short limits, and looking less often, save most of that. */
const PACE = { providersCallTimeout: '3s', webhooksTimeout: '2s', workersPoll: '5s', ratesRefreshEvery: '1h' };

/** Short counts bring seldom things about often. */
function drawFlags(chance: Chance): Record<string, string> {
  return {
    ...PACE,
    payoutsErrorsBeforeManual: chance.pick(['2', '3', '50']),
    payoutsAskLongest: chance.pick(['5m', '1h']),
    webhooksDisableAfterTimeouts: chance.pick(['5', '30']),
    providersPauseAfter: chance.pick(['2', '5']),
    databaseOneTenantBatches: chance.pick(['false', 'false', 'true']),
    payinsAskFirst: chance.pick(['20s', '2m']),
    payinsAskLongest: '15m',
    payinsAskUntil: chance.pick(['5m', '6h']),
    payinsRetryTemporary: chance.pick(['1m', '10m']),
    payinsMispaidWindow: chance.pick(['0s', '3m', '2h']),
    reviewsTwoPersons: chance.pick(['false', 'false', 'true']),
    batchLanes: chance.pick(['1', '2', '3']),
  };
}

function drawTenant(chance: Chance, place: number): TenantPlan {
  return {
    name: `shop${place}`,
    webhooks: chance.between(1, 3),
    balances: { USD: chance.pick([10_000_000n, 300_000n]), EUR: 10_000_000n },
    negativeBalance: chance.percent(20),
  };
}
