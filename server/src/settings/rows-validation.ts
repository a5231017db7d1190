/** Settings of account checks. One row each, in document order. */
import type { Setting } from './setting.ts';

export const VALIDATION_ROWS = [
  {
    key: 'validation.call_timeout',
    openPoint: 'OP-194',
    kind: 'duration',
    min: '100ms',
    max: '1m',
    default: '10s',
    description:
      'How long it may take to look an account up. Without an answer the check has failed and says nothing about the account.',
    rule: {
      says: 'must be shorter than half of payouts.lease',
      isBroken: (read) => 2 * Number(read('validation.call_timeout')) >= Number(read('payouts.lease')),
    },
  },
  {
    key: 'validation.cache',
    openPoint: 'OP-194',
    kind: 'duration',
    min: '0s',
    max: '1d',
    default: '5m',
    description:
      'How long a process keeps what was found, so that the same account is not looked up again for the same customer. Zero: not at all. What was not found, or not answered, is never kept.',
  },
  {
    key: 'validation.max_calls',
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 64,
    description: 'How many accounts this process looks up at once.',
  },
  {
    key: 'validation.bridge',
    kind: 'boolean',
    default: false,
    description:
      'Ask the bridge about accounts. In the sandbox its own register answers otherwise; in live mode nobody does, and every check fails for want of an answer.',
    rule: {
      says: 'needs bridge.url to be set',
      isBroken: (read) => read('validation.bridge') === true && read('bridge.url') === null,
    },
  },
] as const satisfies readonly Setting[];
