/**
 * Settings of the process: what it runs as, where it listens, how it logs and stops. One row each, in document order.
 */
import { isIPv4 } from 'node:net';
import type { ReadSetting, Setting } from './setting.ts';

const HOST = /^[A-Za-z0-9._:-]{1,253}$/;
const HOST_EXPECTS = 'a host name or an IP address';

export const SERVICE_ROWS = [
  {
    key: 'mode',
    kind: 'choice',
    choices: ['sandbox', 'live'],
    default: 'sandbox',
    description:
      'Sandbox has simulated providers, a clock that can be moved and endpoints for trying things out. Live has none of these and refuses settings that would be unsafe.',
  },
  {
    key: 'role',
    kind: 'choice',
    choices: ['all', 'api', 'worker'],
    default: 'all',
    description: 'What this process does: answer calls, do the work behind them, or both.',
  },
  {
    key: 'data',
    kind: 'path',
    default: './data',
    description: 'The directory of the embedded database and of everything else that is kept on disk.',
  },
  {
    key: 'host',
    kind: 'string',
    pattern: HOST,
    expects: HOST_EXPECTS,
    default: '127.0.0.1',
    description: 'The address on which calls are taken. `0.0.0.0` means all addresses of the machine.',
  },
  {
    key: 'port',
    kind: 'port',
    default: 3000,
    description: 'The port on which calls are taken; 0 picks a free one.',
  },
  {
    key: 'public_url',
    openPoint: 'OP-1',
    kind: 'url',
    schemes: ['http', 'https'],
    base: true,
    default: null,
    description:
      'The address under which callers reach the service, and which they sign. When not set it is made from `host` and `port`.',
    liveRule: {
      says: 'must be set to an https address',
      isBroken: (read) => !String(read('public_url')).toLowerCase().startsWith('https://'),
    },
  },
  {
    key: 'trust_proxy',
    kind: 'boolean',
    default: false,
    description:
      'Take scheme and host of a call from the forwarded headers. Only for a service that nobody can reach except through its own proxy.',
  },
  {
    key: 'master_key',
    kind: 'key',
    secret: true,
    default: null,
    description:
      'Encrypts the secrets that are stored. When not set, a key is made at the first start and kept in the data directory.',
    liveRule: {
      says: 'must be set when database.url is set, because a key in one data directory is unknown to the other processes',
      isBroken: (read) => read('database.url') !== null && read('master_key') === null,
    },
  },
  {
    key: 'master_key_previous',
    kind: 'key',
    secret: true,
    default: null,
    description:
      'The master key before, while it is being replaced: secrets that are still stored under it open. `payferry key reseal` stores them under the present one; then leave this out.',
  },
  {
    key: 'operator.host',
    kind: 'string',
    pattern: HOST,
    expects: HOST_EXPECTS,
    default: '127.0.0.1',
    description: 'The address of the listener for operators.',
    liveRule: {
      says: 'must be a loopback address unless operator.allow_remote is true',
      isBroken: (read) => !isLoopback(String(read('operator.host'))) && read('operator.allow_remote') !== true,
    },
  },
  {
    key: 'operator.port',
    kind: 'port',
    default: 3001,
    description: 'The port of the listener for operators; 0 picks a free one.',
    rule: {
      says: 'must differ from port, unless the hosts differ',
      isBroken: (read) => sharesAddress(read),
    },
  },
  {
    key: 'operator.allow_remote',
    kind: 'boolean',
    default: false,
    description:
      'Lets the listener for operators be reached from other machines in live mode. It speaks plain HTTP: put it behind a proxy with TLS or into a private network.',
  },
  {
    key: 'operator.metrics_token',
    kind: 'string',
    pattern: /^[\x21-\x7e]{16,200}$/,
    expects: '16 to 200 visible ASCII characters without spaces',
    secret: true,
    default: null,
    description:
      'A bearer token that opens `/metrics` of the listener for operators and nothing else, for the program that reads it.',
  },
  {
    key: 'http.max_connections',
    openPoint: 'OP-236',
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    default: 4_000,
    description:
      'How many connections of callers may be open at once. Further ones are closed as soon as they come: whoever opens more and more of them could use up the files that the process may have open, and with them its connections to the database. The system must let the process have 1,000 more open than these.',
  },
  {
    key: 'http.body_limit_bytes',
    kind: 'integer',
    min: 1_024,
    max: 67_108_864,
    default: 10_485_760,
    description: 'The largest request body that is read. Documents arrive inside of it as base64.',
  },
  {
    key: 'http.unproved_bodies_bytes',
    openPoint: 'OP-232',
    kind: 'integer',
    min: 1_024,
    max: 17_179_869_184,
    default: 268_435_456,
    description:
      'How much memory bodies of more than 64 KiB may take together until their signatures are checked, half of it under one key. What goes beyond is answered with 503: whoever knows a key could fill the memory otherwise.',
    rule: {
      says: 'must be at least http.body_limit_bytes',
      isBroken: (read) => Number(read('http.unproved_bodies_bytes')) < Number(read('http.body_limit_bytes')),
    },
  },
  {
    key: 'http.untaken_answers_bytes',
    openPoint: 'OP-233',
    kind: 'integer',
    min: 1_024,
    max: 17_179_869_184,
    default: 268_435_456,
    description:
      'How much memory answers of more than 64 KiB may take together until their callers have taken them, half of it by one account; the listener for operators has as much for itself, half of it by one operator. What goes beyond is answered with 503, and a connection whose caller does not take such an answer within http.request_timeout is closed: whoever asks and does not read could fill the memory otherwise.',
  },
  {
    key: 'http.request_timeout',
    kind: 'duration',
    min: '1s',
    max: '10m',
    default: '120s',
    description: 'How long a call may take as a whole, and how long its answer may then wait to be taken.',
    liveRule: {
      says: 'must be longer than 60s, because create_and_fund may take that long',
      isBroken: (read) => Number(read('http.request_timeout')) <= 60_000,
    },
  },
  {
    key: 'shutdown.drain',
    kind: 'duration',
    min: '0s',
    max: '10m',
    default: '0s',
    description:
      'How long a process that answers calls still takes them after it was told to stop, while `/health/ready` answers 503: a bit longer than a balancer needs to notice that. `shutdown.grace` follows it. None unless set, because without a balancer nobody notices, and Ctrl-C is to be quick.',
  },
  {
    key: 'shutdown.grace',
    kind: 'duration',
    min: '0s',
    max: '10m',
    default: '20s',
    description:
      'How long a stopping process finishes what it has begun, once it takes no more calls, before it ends all the same. Calls to providers have half of it.',
  },
  {
    key: 'log.level',
    kind: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    default: 'info',
    description: 'The least important kind of line that is logged.',
    liveRule: {
      says: 'must not be trace, which is meant for looking closely at test traffic',
      isBroken: (read) => read('log.level') === 'trace',
    },
  },
  {
    key: 'log.format',
    kind: 'choice',
    choices: ['auto', 'pretty', 'json'],
    default: 'auto',
    description: 'Lines for people or for machines. Auto is pretty on a terminal and json elsewhere.',
  },
  {
    key: 'webhooks.source_addresses',
    kind: 'list',
    pattern:
      /^(((25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3})(\/([12]?\d|3[0-2]))?|(?=[^:]*:[^:]*:)[0-9a-f:]{2,39}(\/(\d{1,2}|1[01]\d|12[0-8]))?)$/,
    expects: 'an IP address or a network, such as 203.0.113.7 or 2001:db8:5::/48',
    default: [],
    openPoint: 'OP-125',
    description:
      'From which addresses webhooks reach their receivers. The API reference shows them, for the allow lists of receivers; nothing else follows from them.',
  },
] as const satisfies readonly Setting[];

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Port 0 never clashes: each listener is given a free port of its own. */
function sharesAddress(read: ReadSetting): boolean {
  return read('port') !== 0 && read('port') === read('operator.port') && read('host') === read('operator.host');
}
