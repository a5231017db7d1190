/** Settings of the database and of the work that is done in batches. One row each, in document order. */
import type { Setting } from './setting.ts';

export const STORAGE_ROWS = [
  {
    key: 'database.url',
    kind: 'string',
    // Not of the kind url: an address with a socket in place of a host is no URL to the parser.
    pattern: /^postgres(ql)?:\/\/\S{1,2000}$/,
    expects: 'an address that begins with postgresql://',
    env: 'DATABASE_URL',
    secret: true,
    default: null,
    description:
      'The PostgreSQL server (15 or newer) to use. When not set, a private one is started in the data directory.',
  },
  {
    key: 'database.pool_size',
    kind: 'integer',
    min: 2,
    max: 200,
    default: 10,
    description:
      'How many connections this process keeps to the database. Calls that read share all but three of them, and accounts take turns.',
  },
  {
    key: 'database.statement_timeout',
    kind: 'duration',
    min: '1s',
    max: '10m',
    default: '30s',
    description: 'How long one statement may run before the database gives it up.',
  },
  {
    key: 'database.idle_in_tx_timeout',
    kind: 'duration',
    min: '5s',
    max: '10m',
    default: '30s',
    description:
      'How long a database transaction may wait for this process before the database ends it. A process that was put to sleep in the middle of one would keep others from its rows.',
  },
  {
    key: 'database.max_clock_skew',
    kind: 'duration',
    min: '100ms',
    max: '1m',
    default: '5s',
    description:
      "How far the clock of this machine may be from the database's in live mode. Beyond it a process does not start, or begins no work until they agree.",
  },
  {
    key: 'database.one_tenant_batches',
    kind: 'boolean',
    default: false,
    description: 'Confines each batch and each claim to one account, as a distributed PostgreSQL needs it.',
  },
  {
    key: 'batch.lanes',
    kind: 'integer',
    min: 1,
    max: 16,
    default: 2,
    description: 'How many batches of one operation may be under way at once. Batches of one account meet at its rows.',
  },
  {
    key: 'batch.max_commands',
    kind: 'integer',
    min: 1,
    max: 1_024,
    default: 256,
    description: 'How many commands one batch takes at most.',
  },
  {
    key: 'nonces.retention',
    kind: 'duration',
    min: '1d',
    max: '365d',
    default: '7d',
    openPoint: 'OP-98',
    description:
      'How long the nonce of a call is remembered. A signed call that somebody recorded is refused when sent again within this time.',
  },
  {
    key: 'api_logs.enabled',
    kind: 'boolean',
    default: true,
    description: 'Keep each call and its answer for its caller to look up, without files and without credentials.',
  },
  {
    key: 'api_logs.retention',
    openPoint: 'OP-112',
    kind: 'duration',
    min: '1h',
    max: '365d',
    default: '7d',
    description: 'How long calls and their answers can be looked up. Older ones are deleted every hour.',
  },
  {
    key: 'files.address_lifetime',
    openPoint: 'OP-155',
    kind: 'duration',
    min: '1m',
    max: '7d',
    default: '1h',
    description:
      'How long the addresses of proofs of payment and their thumbnails can be used. Whoever has such an address can read the file.',
  },
] as const satisfies readonly Setting[];
