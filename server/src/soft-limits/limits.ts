/**
 * The soft limits as they are counted. Each has windows that begin at whole multiples of their length, in UTC, so that
 * all processes count into the same ones. Spec: Limits. What happens beyond a limit is ours. Open point OP-80.
 */
import {
  BALANCE_AND_RATE_CALLS_SECONDS,
  SOFT_LIMITS,
  STATUS_CHECKS_IN_FIRST_HOUR,
  STATUS_CHECKS_IN_LATER_HOURS,
} from '../kernel/limits.ts';

export interface SoftLimit {
  readonly name: string;
  /** How many calls a window allows. */
  readonly calls: number;
  readonly windowMs: number;
}

const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
const PACE_MS = BALANCE_AND_RATE_CALLS_SECONDS * 1_000;

const [transactions, accounts, currencies] = SOFT_LIMITS;

/** Endpoints that are counted together, and the limits that hold for them; the daily one comes first. */
export const LIMITED = {
  transaction: [{ name: 'transactions_daily', calls: transactions.callsPerDay, windowMs: DAY_MS }],
  balance: [
    { name: 'balances_daily', calls: accounts.callsPerDay, windowMs: DAY_MS },
    { name: 'balances_pace', calls: 1, windowMs: PACE_MS },
  ],
  rate: [
    { name: 'rates_daily', calls: currencies.callsPerDay, windowMs: DAY_MS },
    { name: 'rates_pace', calls: 1, windowMs: PACE_MS },
  ],
} as const satisfies Record<string, readonly SoftLimit[]>;

export type LimitedGroup = keyof typeof LIMITED;

/** Checks of one transaction that has not ended: by the hours since its creation, so the window is its own. */
export const STATUS_CHECKS = 'transaction_checks';

/** States in which a transaction is not active any more: nothing but the refund of a canceled one follows. */
const ENDED: readonly unknown[] = ['paid', 'canceled', 'refunded'];

export function isEndedState(state: unknown): boolean {
  return ENDED.includes(state);
}

export const SOFT_LIMIT_NAMES: readonly string[] = [
  ...Object.values(LIMITED).flatMap((limits) => limits.map(({ name }) => name)),
  STATUS_CHECKS,
];

export function statusChecksAllowed(hour: number): number {
  return hour === 0 ? STATUS_CHECKS_IN_FIRST_HOUR : STATUS_CHECKS_IN_LATER_HOURS;
}

/** What is counted; null where no soft limit holds. All calls for balances count together, and all for rates. */
export function limitedGroupOf(method: string, route: string): LimitedGroup | null {
  if (method !== 'GET') return null;
  if (route === '/v1/transactions/:id') return 'transaction';
  if (route === '/v1/accounts' || route.startsWith('/v1/accounts/')) return 'balance';
  // One of its paths is also served without the version.
  if (/^(?:\/v1)?\/info\/currencies(?:\/|$)/.test(route)) return 'rate';
  return null;
}
