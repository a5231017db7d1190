/** Settings of webhook delivery. One row each, in document order. */
import { WEBHOOK_RETRIES } from '../kernel/limits.ts';
import type { Setting } from './setting.ts';

export const WEBHOOK_ROWS = [
  {
    key: 'webhooks.timeout',
    kind: 'duration',
    min: '100ms',
    max: '1m',
    default: '10s',
    openPoint: 'OP-69',
    description: 'How long an attempt to deliver may take as a whole: resolving, connecting, sending, reading.',
  },
  {
    key: 'webhooks.retry_delays',
    kind: 'list',
    pattern: /^[1-9][0-9]{0,5}(ms|s|m|h|d)$/,
    expects: 'durations such as 30s, 5m or 2h',
    default: ['1s', '2s', '4s', '6s', '10s'],
    liveDefault: ['10s', '1m', '10m', '1h', '6h'],
    openPoint: 'OP-97',
    description:
      'The pause before each of the five retries of a delivery, in their order. In the sandbox they end within 30 seconds, so that they can be watched.',
    rule: {
      says: `must name ${WEBHOOK_RETRIES} pauses, one for each retry`,
      isBroken: (read) => {
        const delays = read('webhooks.retry_delays');
        return !Array.isArray(delays) || delays.length !== WEBHOOK_RETRIES;
      },
    },
  },
  {
    key: 'webhooks.jitter_percent',
    kind: 'integer',
    min: 0,
    max: 100,
    default: 20,
    openPoint: 'OP-97',
    description:
      'Each pause is made longer by chance, by up to this part of it, so that retries do not come all at once.',
  },
  {
    key: 'webhooks.disable_after_timeouts',
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 30,
    openPoint: 'OP-69',
    description:
      'An address at which so many attempts in a row have timed out is disabled for good. Any answer begins the count anew.',
  },
  {
    key: 'webhooks.per_endpoint',
    kind: 'integer',
    min: 1,
    max: 256,
    default: 8,
    description:
      'How many requests a process has under way to one webhook at once. One whose last attempt got no answer gets a single one.',
  },
  {
    key: 'webhooks.in_flight',
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 512,
    description: 'How many requests a process has under way to all webhooks together.',
  },
  {
    key: 'webhooks.log_retention',
    kind: 'duration',
    min: '1h',
    max: '365d',
    default: '30d',
    openPoint: 'OP-118',
    description: 'How long attempts to deliver can be looked up. Older ones are deleted every hour.',
  },
  {
    key: 'webhooks.event_retention',
    kind: 'duration',
    min: '1d',
    max: '3650d',
    default: null,
    description:
      'How long events are kept, and can be sent again. When not set, for ever. Older ones are deleted every hour with their deliveries, unless they are on their way or in the webhook logs.',
    rule: {
      says: 'must not be shorter than webhooks.log_retention, because the logs show events',
      isBroken: (read) =>
        read('webhooks.event_retention') !== null &&
        Number(read('webhooks.event_retention')) < Number(read('webhooks.log_retention')),
    },
  },
] as const satisfies readonly Setting[];
