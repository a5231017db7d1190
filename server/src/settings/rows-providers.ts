/** Settings of the providers that pay recipients. One row each, in document order. */
import type { Setting } from './setting.ts';

export const PROVIDER_ROWS = [
  {
    key: 'providers.order',
    kind: 'map',
    namePattern: /^(\*|[A-Z]{3}(::[A-Z][a-z]{2,20})?)$/,
    valuePattern: /^[a-z][a-z0-9_]{0,59}( [a-z][a-z0-9_]{0,59}){0,9}$/,
    expects: 'payout types such as "NGN::Bank", or "*", each with names of providers, divided by spaces',
    default: {},
    description:
      'Which providers pay a type, the first one first; "*" stands for every type that is not named. Types for which nothing is said are paid by every provider that is set up.',
  },
  {
    key: 'providers.call_timeout',
    kind: 'duration',
    min: '100ms',
    max: '5m',
    default: '30s',
    description:
      'How long a provider has for an answer. Without one the outcome is unknown, and the provider is asked.',
  },
  {
    key: 'providers.max_calls',
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 256,
    description: 'How many calls to one provider this process has under way at once.',
  },
  {
    key: 'providers.pause_after',
    kind: 'integer',
    min: 1,
    max: 1_000,
    default: 5,
    description:
      'After how many orders in a row without an answer, or turned down because it is out of service, a provider is paused.',
  },
  {
    key: 'providers.probe_every',
    kind: 'duration',
    min: '100ms',
    max: '1h',
    default: '5s',
    description: 'How soon a paused provider is asked whether it is back; each time without success doubles it.',
  },
  {
    key: 'providers.probe_max',
    kind: 'duration',
    min: '100ms',
    max: '24h',
    default: '5m',
    description: 'The longest time between two such questions.',
    rule: {
      says: 'must not be shorter than providers.probe_every',
      isBroken: (read) => Number(read('providers.probe_max')) < Number(read('providers.probe_every')),
    },
  },
] as const satisfies readonly Setting[];
