/** Settings of payouts: how providers are called, and at which pace recipients are tried again. In document order. */
import type { Setting } from './setting.ts';

export const PAYOUT_ROWS = [
  {
    key: 'payouts.calls_in_flight',
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 256,
    description:
      'How many payouts one process has under way at its providers at the same time. Up to a quarter of them, and at least one, are questions to the same provider, and as many are orders to one that answers none.',
  },
  {
    key: 'payouts.lease',
    kind: 'duration',
    min: '5s',
    max: '30m',
    default: '3m',
    description:
      'How long a process may work on a payout before another one takes over. The other one first asks the provider what became of it.',
    rule: {
      says: 'must be more than four times providers.call_timeout, because a provider may be told and asked several things in turn',
      isBroken: (read) => Number(read('payouts.lease')) <= 4 * Number(read('providers.call_timeout')),
    },
  },
  {
    key: 'payouts.arrives_within',
    openPoint: 'OP-217',
    kind: 'duration',
    min: '0s',
    max: '1d',
    default: '5m',
    description:
      'How long an order whose answer was lost may still be on its way. Until then, counted from the end of the lease of whoever sent it last, a provider that does not know it proves nothing: it is neither refunded nor sent to another provider.',
  },
  {
    key: 'payouts.ask_first',
    openPoint: 'OP-95',
    kind: 'duration',
    min: '1s',
    max: '1h',
    default: '5s',
    description:
      'When a provider is first asked about a payout that it has not finished. Each further time is twice as late.',
  },
  {
    key: 'payouts.ask_longest',
    openPoint: 'OP-95',
    kind: 'duration',
    min: '1s',
    max: '1d',
    default: '5m',
    description: 'The longest time between two questions about one payout.',
  },
  {
    key: 'payouts.stuck_after',
    openPoint: 'OP-96',
    kind: 'duration',
    min: '1m',
    max: '7d',
    default: '1h',
    description:
      'How long a provider may stay silent about a payout before its recipient becomes stuck. It is asked on, and the payout is not sent again.',
  },
  {
    key: 'payouts.retry_temporary',
    openPoint: 'OP-95',
    kind: 'duration',
    min: '1s',
    max: '1d',
    default: '5m',
    description: 'Time to the first retry after a temporary error (codes 3xx). Each further time is twice as late.',
  },
  {
    key: 'payouts.retry_temporary_longest',
    openPoint: 'OP-95',
    kind: 'duration',
    min: '1s',
    max: '1d',
    default: '1h',
    description: 'The longest time between two retries after temporary errors.',
  },
  {
    key: 'payouts.retry_recipient_error',
    openPoint: 'OP-95',
    kind: 'duration',
    min: '1s',
    max: '7d',
    default: '4h',
    description: 'Time between retries after an error of the recipient details (codes 4xx).',
  },
  {
    key: 'payouts.retry_sender_error',
    openPoint: 'OP-95',
    kind: 'duration',
    min: '1s',
    max: '7d',
    default: '6h',
    description: 'Time between retries after an error that lies with the sender or the payment (codes 5xx).',
  },
  {
    key: 'payouts.errors_before_manual',
    openPoint: 'OP-95',
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 50,
    description:
      'How many failed attempts make a recipient manual, so that it is not tried any more. More than the pace reaches within a day.',
  },
  {
    key: 'payouts.auto_refund_after',
    kind: 'duration',
    min: '1h',
    max: '30d',
    default: '24h',
    description:
      'When a funded transaction without a paid recipient is refunded by itself, unless its trait auto_refund is false. The interface says 24 hours.',
  },
] as const satisfies readonly Setting[];
