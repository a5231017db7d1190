/**
 * The constants of the specification's Limits section, in its order; docs/interface.md shows the same rows. The decimal
 * places of amounts are in money/currencies.ts. Everything that an operator may change is a setting, not a line here.
 */

interface SoftLimitRow {
  readonly endpoint: string;
  readonly callsPerDay: number;
  readonly note: string;
}

/** Requests to callers, not rules: counted for each account, and refused only if the operator says so. */
export const SOFT_LIMITS = [
  {
    endpoint: 'GET /v1/transactions/{id}',
    callsPerDay: 2500,
    note: 'for each open transaction: at most six in its first hour, one in every hour after that',
  },
  { endpoint: 'GET /v1/accounts*', callsPerDay: 300, note: 'keep count of the balance yourself' },
  {
    endpoint: 'GET /v1/info/currencies*',
    callsPerDay: 300,
    note: 'rates also come with calculate, and with a transaction that is created first and funded later',
  },
] as const satisfies readonly SoftLimitRow[];

export const STATUS_CHECKS_IN_FIRST_HOUR = 6;
export const STATUS_CHECKS_IN_LATER_HOURS = 1;

export const BALANCE_AND_RATE_CALLS_SECONDS = 300;
export const UNFUNDED_EXPIRY_SECONDS = 3_600;
const AUTO_REFUND_SECONDS = 86_400;
export const WEBHOOK_RETRIES = 5;
const CREATE_AND_FUND_SECONDS = 60;
export const IDENTIFICATION_NUMBER_MIN_LENGTH = 4;

interface LimitRow {
  readonly limit: string;
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
}

export const LIMITS = [
  {
    limit: 'balance and rate calls',
    value: BALANCE_AND_RATE_CALLS_SECONDS,
    unit: 'seconds',
    meaning: 'least time between two calls for balances, or two for rates',
  },
  {
    limit: 'unfunded expiry',
    value: UNFUNDED_EXPIRY_SECONDS,
    unit: 'seconds',
    meaning: 'age at which a transaction without funds is canceled; a collection has to be paid before',
  },
  {
    limit: 'auto refund',
    value: AUTO_REFUND_SECONDS,
    unit: 'seconds',
    meaning: 'time after funding at which a transaction that paid nobody is canceled',
  },
  { limit: 'webhook retries', value: WEBHOOK_RETRIES, unit: 'attempts', meaning: 'after the first one' },
  {
    limit: 'create_and_fund',
    value: CREATE_AND_FUND_SECONDS,
    unit: 'seconds',
    meaning: 'it may take longer than this, so clients wait longer',
  },
  {
    limit: 'identification_number',
    value: IDENTIFICATION_NUMBER_MIN_LENGTH,
    unit: 'characters',
    meaning: 'least length',
  },
] as const satisfies readonly LimitRow[];
