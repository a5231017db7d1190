import { describe, expect, it } from 'vitest';
import { defaultOf, loadSettings } from './load.ts';
import { CONFIG_ENV, CONFIG_FLAG, envName, flagName, groupOf } from './names.ts';
import { GROUPS, SETTINGS } from './table.ts';

type Flags = Record<string, string | boolean>;

/** No settings file can be met here, so that only the flags count. */
const NOWHERE = '/nonexistent-directory';
const KEY = '0f'.repeat(32);
const LIVE: Flags = { mode: 'live', publicUrl: 'https://pay.example' };

function mistakesOf(flags: Flags): readonly string[] {
  const result = loadSettings({ flags, env: {}, directory: NOWHERE });
  return result.ok ? [] : result.mistakes;
}

describe('the table', () => {
  it('has each key, flag and environment variable once', () => {
    for (const names of [
      SETTINGS.map((setting) => setting.key),
      [...SETTINGS.map(flagName), CONFIG_FLAG],
      [...SETTINGS.map(envName), CONFIG_ENV],
    ])
      expect(new Set(names).size).toBe(names.length);
  });

  it.each(SETTINGS.map((setting) => [setting.key, setting] as const))('%s is a well-formed row', (key, setting) => {
    expect(key).toMatch(/^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)?$/);
    expect(setting.description).toMatch(/^[A-Z].*\.$/);
    expect(() => defaultOf(setting, 'sandbox')).not.toThrow();
    expect(() => defaultOf(setting, 'live')).not.toThrow();
    if (setting.kind === 'list' || setting.kind === 'string') expect(setting.pattern.flags).toBe('');
  });

  it('has a heading for each group and no heading without settings, and no group is also a setting', () => {
    const groups = new Set(SETTINGS.map(groupOf));
    expect(new Set(Object.keys(GROUPS))).toEqual(groups);
    for (const { key } of SETTINGS) expect(groups.has(key)).toBe(false);
  });

  it('gives the three variables that others know by name their own names', () => {
    const named = Object.fromEntries(SETTINGS.map((setting) => [setting.key, envName(setting)]));
    expect(named['database.url']).toBe('DATABASE_URL');
    expect(named['sandbox.api_key']).toBe('PAYFERRY_API_KEY');
    expect(named['sandbox.api_secret']).toBe('PAYFERRY_API_SECRET');
    expect(named['operator.port']).toBe('PAYFERRY_OPERATOR_PORT');
  });

  it('keeps secret what must not be shown', () => {
    const secrets = SETTINGS.filter((setting) => setting.secret).map((setting) => setting.key);
    expect(secrets).toEqual([
      'master_key',
      'master_key_previous',
      'operator.metrics_token',
      'database.url',
      'bridge.secret',
      'sandbox.api_secret',
    ]);
  });
});

describe('live mode', () => {
  it('starts with an https address and otherwise the defaults', () => {
    expect(mistakesOf(LIVE)).toEqual([]);
  });

  /** What is refused in live mode, the key that the complaint begins with, and the nearest thing that is not. */
  const RULES: readonly (readonly [string, Flags, string, Flags])[] = [
    ['no public address', { publicUrl: '' }, 'public_url', { publicUrl: 'https://other.example' }],
    [
      'a public address without TLS',
      { publicUrl: 'http://pay.example' },
      'public_url',
      { publicUrl: 'HTTPS://a.example' },
    ],
    [
      'an operator listener on all addresses',
      { operatorHost: '0.0.0.0' },
      'operator.host',
      { operatorHost: '127.0.0.2' },
    ],
    [
      'an operator listener on a remote name',
      { operatorHost: '127.evil.example' },
      'operator.host',
      { operatorHost: 'localhost' },
    ],
    ['an operator listener on all IPv6 addresses', { operatorHost: '::' }, 'operator.host', { operatorHost: '::1' }],
    [
      'a remote operator listener that is not allowed',
      { operatorHost: '10.0.0.5', operatorAllowRemote: 'false' },
      'operator.host',
      { operatorHost: '10.0.0.5', operatorAllowRemote: true },
    ],
    ['the trace level', { logLevel: 'trace' }, 'log.level', { logLevel: 'debug' }],
    [
      'an external database without a master key',
      { databaseUrl: 'postgres://db/pay' },
      'master_key',
      { databaseUrl: 'postgres://db/pay', masterKey: KEY },
    ],
    ['a time limit of a minute', { httpRequestTimeout: '60s' }, 'http.request_timeout', { httpRequestTimeout: '61s' }],
    [
      'money from nowhere',
      { sandboxOpeningBalance: '0.01' },
      'sandbox.opening_balance',
      { sandboxOpeningBalance: '0.00' },
    ],
  ];

  it.each(RULES)('refuses %s', (_, refused, key) => {
    expect(mistakesOf({ ...LIVE, ...refused })).toEqual([expect.stringMatching(`^live mode: ${key} must `)]);
  });

  it.each(RULES)('next to %s it accepts what is safe', (_name, _refused, _key, accepted) => {
    expect(mistakesOf({ ...LIVE, ...accepted })).toEqual([]);
  });

  it.each(RULES)('the sandbox accepts %s', (_, flags) => {
    expect(mistakesOf(flags)).toEqual([]);
  });

  it('refuses preset sandbox credentials, both by name', () => {
    const credentials = { sandboxApiKey: 'a-key', sandboxApiSecret: 'a-secret' };
    expect(mistakesOf({ ...LIVE, ...credentials })).toEqual([
      'live mode: sandbox.api_key must not be set (from --sandbox-api-key)',
      'live mode: sandbox.api_secret must not be set (from --sandbox-api-secret)',
    ]);
    expect(mistakesOf(credentials)).toEqual([]);
  });

  it('has no opening balance by default, the sandbox has one', () => {
    const balanceIn = (flags: Flags) => {
      const result = loadSettings({ flags, env: {}, directory: NOWHERE });
      return result.ok ? result.settings.sandbox.openingBalance : result.mistakes;
    };
    expect(balanceIn(LIVE)).toBe('0');
    expect(balanceIn({})).toBe('1000000');
  });
});

describe('in both modes', () => {
  it.each<[string, Flags, readonly string[]]>([
    [
      'a key without a secret',
      { sandboxApiKey: 'a-key' },
      ['sandbox.api_secret must be set together with sandbox.api_key (not set)'],
    ],
    [
      'a secret without a key',
      { sandboxApiSecret: 'a-secret' },
      ['sandbox.api_key must be set together with sandbox.api_secret (not set)'],
    ],
    ['key and secret', { sandboxApiKey: 'a-key', sandboxApiSecret: 'a-secret' }, []],
    [
      'two listeners on one address',
      { port: '3001' },
      ['operator.port must differ from port, unless the hosts differ (not set)'],
    ],
    ['one port on two hosts', { port: '3001', host: '10.0.0.5' }, []],
    ['two free ports', { port: '0', operatorPort: '0' }, []],
    [
      'margins without "*"',
      { ratesMargins: 'USD/NGN=0.01' },
      ['rates.margins must have an entry "*" for the pairs that it does not name (from --rates-margins)'],
    ],
    ['margins with "*"', { ratesMargins: '*=0,USD/NGN=0.01' }, []],
  ])('%s: as the rule says', (_, flags, mistakes) => {
    expect(mistakesOf(flags)).toEqual(mistakes);
  });

  it.each(['1', '1.5', '-0.1', '0.', '.5', '0.000000001', '5%'])('a margin of %s is refused', (margin) => {
    expect(mistakesOf({ ratesMargins: `*=${margin}` })).toHaveLength(1);
  });
});
