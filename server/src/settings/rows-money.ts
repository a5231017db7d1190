/** Settings of rates, transactions, limits and the sandbox. One row each, in document order. */
import type { Setting } from './setting.ts';

const CREDENTIAL = /^[\x21-\x7e]{4,100}$/;
const CREDENTIAL_EXPECTS = '4 to 100 visible ASCII characters without spaces';

const PROVIDER_NAME = /^[a-z][a-z0-9_]{0,59}$/;

export const MONEY_ROWS = [
  {
    key: 'rates.file',
    kind: 'path',
    default: null,
    description:
      'A file with exchange rates. When not set, the sandbox uses its own sample, and live mode only the rates that operators set.',
  },
  {
    key: 'rates.margins',
    kind: 'map',
    namePattern: /^(\*|[A-Z]{3}\/[A-Z]{3})$/,
    valuePattern: /^0(\.[0-9]{1,8})?$/,
    expects: 'pairs such as "USD/NGN", or "*", each with a fraction from "0" to below "1"',
    default: { '*': '0' },
    openPoint: 'OP-99',
    description:
      'What is kept from the middle rate, by pair of currencies: "0.01" is one per cent. "*" stands for every pair that is not named.',
    rule: {
      says: 'must have an entry "*" for the pairs that it does not name',
      isBroken: (read) => !Object.hasOwn(Object(read('rates.margins')), '*'),
    },
  },
  {
    key: 'rates.stale_after',
    kind: 'duration',
    min: '1m',
    max: '365d',
    default: '24h',
    openPoint: 'OP-99',
    description: 'The age from which a rate is no longer used in live mode: what needs it is answered with 503.',
  },
  {
    key: 'rates.refresh_every',
    kind: 'duration',
    min: '100ms',
    max: '1h',
    default: '10s',
    description: 'How often this process looks for new rates.',
  },
  {
    key: 'rates.max_change_percent',
    kind: 'integer',
    min: 0,
    max: 1_000,
    default: 0,
    liveDefault: 20,
    openPoint: 'OP-229',
    description:
      'A rate that lies further from the one in force is not taken from the file, and from an operator only with `--force`: more often than news it is a slip. 0 takes every change.',
  },
  {
    key: 'quotes.input_rounding',
    kind: 'choice',
    choices: ['up', 'cut'],
    default: 'up',
    openPoint: 'OP-88',
    description: 'How a computed input amount is brought to the decimal places of its currency.',
  },
  {
    key: 'transactions.max_recipients',
    kind: 'integer',
    min: 1,
    max: 100,
    default: 10,
    openPoint: 'OP-82',
    description: 'How many recipients one transaction may have.',
  },
  {
    key: 'accounts.single_form',
    kind: 'choice',
    choices: ['list', 'object'],
    default: 'list',
    openPoint: 'OP-107',
    description:
      'How the balance of one currency is answered: as a list with one element, or as the object alone, which some client libraries read.',
  },
  {
    key: 'limits.enforce_soft',
    kind: 'boolean',
    default: false,
    openPoint: 'OP-80',
    description: 'Refuse calls beyond the soft limits with 429. Otherwise they are only counted and shown.',
  },
  {
    key: 'sandbox.api_key',
    kind: 'string',
    pattern: CREDENTIAL,
    expects: CREDENTIAL_EXPECTS,
    env: 'PAYFERRY_API_KEY',
    default: null,
    description: 'The API key of the sandbox account. When not set, one is made at the first start.',
    rule: {
      says: 'must be set together with sandbox.api_secret',
      isBroken: (read) => read('sandbox.api_key') === null && read('sandbox.api_secret') !== null,
    },
    liveRule: { says: 'must not be set', isBroken: (read) => read('sandbox.api_key') !== null },
  },
  {
    key: 'sandbox.api_secret',
    kind: 'string',
    pattern: CREDENTIAL,
    expects: CREDENTIAL_EXPECTS,
    env: 'PAYFERRY_API_SECRET',
    secret: true,
    default: null,
    description: 'The API secret of the sandbox account, with which its calls are signed.',
    rule: {
      says: 'must be set together with sandbox.api_key',
      isBroken: (read) => read('sandbox.api_secret') === null && read('sandbox.api_key') !== null,
    },
    liveRule: { says: 'must not be set', isBroken: (read) => read('sandbox.api_secret') !== null },
  },
  {
    key: 'sandbox.opening_balance',
    kind: 'string',
    pattern: /^[0-9]{1,11}(\.[0-9]{1,2})?$/,
    expects: 'an amount such as "1000000" or "99.50"',
    default: '1000000',
    liveDefault: '0',
    description: 'What each account of the sandbox starts with, in USD, EUR, GBP, NGN, GHS, UGX, XOF and XAF.',
    liveRule: {
      says: 'must be 0, because it is money that nobody paid in',
      isBroken: (read) => /[1-9]/.test(String(read('sandbox.opening_balance'))),
    },
  },
  {
    key: 'sandbox.provider_name',
    kind: 'string',
    pattern: PROVIDER_NAME,
    expects: 'small letters, digits and underscores, 60 at most',
    default: 'sandbox_auto',
    openPoint: 'OP-138',
    description: 'What recipients that the sandbox pays show as their `provider`.',
  },
  {
    key: 'sandbox.backup_provider',
    kind: 'boolean',
    default: false,
    description:
      'Switches on a second sandbox provider behind the first, `sandbox_backup`, to try how payouts fail over.',
    rule: {
      says: 'cannot be true while sandbox.provider_name is sandbox_backup, which is the name of the second one',
      isBroken: (read) =>
        read('sandbox.backup_provider') === true && read('sandbox.provider_name') === 'sandbox_backup',
    },
  },
  {
    key: 'sandbox.latency',
    kind: 'duration',
    min: '0ms',
    max: '10s',
    default: '200ms',
    description: 'How long the sandbox provider takes to answer. At 0 nothing takes time, slow answers included.',
  },
] as const satisfies readonly Setting[];
