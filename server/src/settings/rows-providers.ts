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
      'Which providers pay a type, the first one first; "*" stands for every type that is not named. Types for which nothing is said are paid by every provider that is set up. A provider that is not set up, or a type that there is not, stops the start.',
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
  {
    key: 'bridge.url',
    kind: 'url',
    schemes: ['http', 'https'],
    base: true,
    default: null,
    description:
      'The address of a bridge: a service of yours in front of a bank or partner, which speaks the JSON of docs/bridge.md. When set, it is a provider.',
    rule: {
      says: 'must be set together with bridge.secret',
      isBroken: (read) => (read('bridge.url') === null) !== (read('bridge.secret') === null),
    },
    liveRule: {
      says: 'must be an https address, because orders carry names and account numbers',
      isBroken: (read) => {
        const url = read('bridge.url');
        return url !== null && !String(url).toLowerCase().startsWith('https://');
      },
    },
  },
  {
    key: 'bridge.secret',
    kind: 'string',
    pattern: /^[\x21-\x7e]{32,200}$/,
    expects: '32 to 200 visible ASCII characters without spaces',
    secret: true,
    default: null,
    description: 'The secret with which calls to the bridge and its callbacks are signed.',
  },
  {
    key: 'bridge.name',
    kind: 'string',
    pattern: /^[a-z][a-z0-9_]{0,59}$/,
    expects: 'small letters, digits and underscores, 60 at most',
    default: 'bridge',
    description: 'What recipients that the bridge pays show as their `provider`, and its name in `providers.order`.',
  },
] as const satisfies readonly Setting[];
