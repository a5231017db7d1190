/**
 * Every setting of the program, one row each. The Settings type (shape.ts), the flags (flags.ts), the checks (parse.ts)
 * and docs/settings.md (document.ts) all follow from these rows: a new setting is a new row and nothing else.
 */
import { CORRIDOR_ROWS } from './rows-corridors.ts';
import { MONEY_ROWS } from './rows-money.ts';
import { PAYIN_ROWS } from './rows-payins.ts';
import { PAYOUT_ROWS } from './rows-payouts.ts';
import { PROVIDER_ROWS } from './rows-providers.ts';
import { SCREENING_ROWS } from './rows-screening.ts';
import { SENDER_ROWS } from './rows-senders.ts';
import { SERVICE_ROWS } from './rows-service.ts';
import { STORAGE_ROWS } from './rows-storage.ts';
import { VALIDATION_ROWS } from './rows-validation.ts';
import { WEBHOOK_ROWS } from './rows-webhooks.ts';
import { WORKER_ROWS } from './rows-workers.ts';
import type { Setting } from './setting.ts';

export const TABLE = [
  ...SERVICE_ROWS,
  ...STORAGE_ROWS,
  ...WORKER_ROWS,
  ...WEBHOOK_ROWS,
  ...PAYOUT_ROWS,
  ...PAYIN_ROWS,
  ...PROVIDER_ROWS,
  ...VALIDATION_ROWS,
  ...CORRIDOR_ROWS,
  ...SENDER_ROWS,
  ...SCREENING_ROWS,
  ...MONEY_ROWS,
] as const;

/** The same rows seen without their exact types, for code that handles all alike. */
export const SETTINGS: readonly Setting[] = TABLE;

/** Headings for the help of the program and for the document, by the part of the key before the dot. */
export const GROUPS: Readonly<Record<string, string>> = {
  '': 'Process',
  operator: 'Operator listener',
  http: 'HTTP',
  shutdown: 'Stopping',
  log: 'Log',
  database: 'Database',
  batch: 'Batches',
  nonces: 'Nonces',
  api_logs: 'API logs',
  files: 'Files',
  workers: 'Work behind the calls',
  webhooks: 'Webhooks',
  payouts: 'Payouts',
  payins: 'Collections',
  providers: 'Payout providers',
  bridge: 'Bridge to a payout provider',
  validation: 'Account checks',
  corridors: 'Corridors',
  senders: 'Senders',
  reviews: 'Reviews of senders',
  screening: 'Sanctions screening',
  rates: 'Exchange rates',
  quotes: 'Quotes',
  transactions: 'Transactions',
  accounts: 'Accounts',
  limits: 'Limits',
  sandbox: 'Sandbox',
};
