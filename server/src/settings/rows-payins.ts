/** Settings of collections: at which pace payin providers are asked, and what becomes of other amounts. */
import type { Setting } from './setting.ts';

export const PAYIN_ROWS = [
  {
    key: 'payins.ask_first',
    openPoint: 'OP-174',
    kind: 'duration',
    min: '1s',
    max: '1h',
    default: '5s',
    description: 'When a provider is first asked about a payer who has not paid. Each further time is twice as late.',
  },
  {
    key: 'payins.ask_longest',
    openPoint: 'OP-174',
    kind: 'duration',
    min: '1s',
    max: '1d',
    default: '2m',
    description: 'The longest time between two questions about one payer.',
  },
  {
    key: 'payins.ask_until',
    openPoint: 'OP-174',
    kind: 'duration',
    min: '1m',
    max: '30d',
    default: '24h',
    description:
      'How long after the end of its hour a provider that gives no clear answer is asked about a canceled collection. What it reports later is recorded all the same.',
  },
  {
    key: 'payins.stuck_after',
    openPoint: 'OP-220',
    kind: 'duration',
    min: '1m',
    max: '30d',
    default: '24h',
    description:
      'How long after the end of its hour a collection is shown to people whose payer has paid, by the word of the provider, and which the provider does not confirm. It is asked on.',
  },
  {
    key: 'payins.retry_temporary',
    openPoint: 'OP-174',
    kind: 'duration',
    min: '1s',
    max: '1h',
    default: '5m',
    description: 'When the payer is prompted again after a temporary error (codes 3x), within the hour.',
  },
  {
    key: 'payins.mispaid_window',
    openPoint: 'OP-104',
    kind: 'duration',
    min: '0s',
    max: '7d',
    default: '0s',
    description:
      'How long a collection into which another amount was paid waits for more before it goes into the balance as it is.',
  },
] as const satisfies readonly Setting[];
