import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { type LoadedSettings, loadSettings, type SettingSources } from './load.ts';
import type { TextMap } from './setting.ts';
import type { Settings } from './shape.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'payferry-settings-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function load(sources: Partial<SettingSources>): LoadedSettings {
  return loadSettings({ flags: {}, env: {}, directory, ...sources });
}

function loaded(sources: Partial<SettingSources>) {
  const result = load(sources);
  if (!result.ok) throw new Error(result.mistakes.join('\n'));
  return result;
}

function mistakesOf(sources: Partial<SettingSources>): readonly string[] {
  const result = load(sources);
  return result.ok ? [] : result.mistakes;
}

function writeFile(content: string, name = 'payferry.toml'): string {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
}

describe('rank', () => {
  it('flags go over environment over settings file over defaults', () => {
    const env = { PAYFERRY_OPERATOR_PORT: '4002' };
    const flags = { operatorPort: '4003' };
    const steps: [Partial<SettingSources>, number, string, string][] = [
      [{}, 3001, 'default', 'default'],
      [{}, 4001, 'file', 'payferry.toml'],
      [{ env }, 4002, 'env', 'PAYFERRY_OPERATOR_PORT'],
      [{ env, flags }, 4003, 'flag', '--operator-port'],
    ];
    for (const [sources, port, from, name] of steps) {
      if (from === 'file') writeFile('[operator]\nport = 4001\n');
      const { settings, origins } = loaded(sources);
      expect(settings.operator.port).toBe(port);
      expect(origins.get('operator.port')).toEqual({ from, name });
    }
  });

  it('each setting is decided alone', () => {
    writeFile('port = 1111\nhost = "10.0.0.1"\ndata = "/srv/pay"\n');
    const { settings } = loaded({ env: { PAYFERRY_PORT: '2222', PAYFERRY_HOST: '10.0.0.2' }, flags: { port: '3333' } });
    expect([settings.port, settings.host, settings.data, settings.role]).toEqual([3333, '10.0.0.2', '/srv/pay', 'all']);
  });

  it('an empty environment variable counts as not set', () => {
    writeFile('port = 1111\n');
    const { settings, origins } = loaded({ env: { PAYFERRY_PORT: '', DATABASE_URL: '', PAYFERRY_ZEBRA: '' } });
    expect(settings.port).toBe(1111);
    expect(origins.get('database.url')?.from).toBe('default');
  });

  it('an empty flag unsets what has no default, and is refused for what has one', () => {
    const { settings, origins } = loaded({ env: { DATABASE_URL: 'postgres://db/pay' }, flags: { databaseUrl: '' } });
    expect(settings.database.url).toBeNull();
    expect(origins.get('database.url')?.from).toBe('flag');
    expect(mistakesOf({ flags: { data: '' } })).toEqual(['data: expected a path, got "" (from --data)']);
  });

  it('a switch may stand alone or with a value', () => {
    expect(loaded({ flags: { trustProxy: true } }).settings.trustProxy).toBe(true);
    expect(loaded({ flags: { trustProxy: 'false' }, env: { PAYFERRY_TRUST_PROXY: 'true' } }).settings.trustProxy).toBe(
      false,
    );
  });

  it('a map of higher rank replaces the whole map', () => {
    writeFile('[rates.margins]\n"*" = "0.01"\n"USD/NGN" = "0.02"\n');
    expect(loaded({}).settings.rates.margins).toEqual({ '*': '0.01', 'USD/NGN': '0.02' });
    expect(loaded({ env: { PAYFERRY_RATES_MARGINS: '*=0.03' } }).settings.rates.margins).toEqual({ '*': '0.03' });
  });
});

describe('the place of the settings file', () => {
  it('is named by the caller, else by the flag, else by the environment, else it is payferry.toml', () => {
    writeFile('port = 1\n');
    const byEnv = writeFile('port = 2\n', 'by-env.toml');
    const byFlag = writeFile('port = 3\n', 'by-flag.toml');
    const byCaller = writeFile('port = 4\n', 'by-caller.toml');
    const env = { PAYFERRY_CONFIG: byEnv };
    const flags = { config: byFlag };
    expect(loaded({}).settings.port).toBe(1);
    expect(loaded({ env }).settings.port).toBe(2);
    expect(loaded({ env, flags }).settings.port).toBe(3);
    expect(loaded({ env, flags, file: byCaller }).settings.port).toBe(4);
    expect(loaded({ env }).origins.get('port')).toEqual({ from: 'file', name: byEnv });
  });

  it('a named file that does not exist is a mistake', () => {
    expect(mistakesOf({ flags: { config: 'nowhere.toml' } })).toEqual(['settings file nowhere.toml: no such file']);
  });
});

describe('mistakes', () => {
  it('are all reported at once, each with key, expectation and origin', () => {
    writeFile('prot = 1\n[database]\npool_size = "many"\n[log]\nlevel = "loud"\n');
    const env = { PAYFERRY_PORT: 'tcp://10.0.0.1:80', PAYFERRY_BATCH_LANE: '2', PAYFERRY_API_KEY: 'a-key' };
    const flags = { mode: 'test', httpRequestTimeout: '90', operatorProt: '1' };
    expect(mistakesOf({ env, flags })).toEqual([
      'unknown flag operatorProt; did you mean operatorPort?',
      'unknown environment variable PAYFERRY_BATCH_LANE; did you mean PAYFERRY_BATCH_LANES?',
      'settings file payferry.toml: unknown key prot; did you mean port?',
      'mode: expected one of sandbox, live, got "test" (from --mode)',
      'port: expected a port number from 0 to 65535, got "tcp://10.0.0.1:80" (from PAYFERRY_PORT)',
      'http.request_timeout: expected a duration from 1s to 10m (units ms, s, m, h, d), got "90" (from --http-request-timeout)',
      'log.level: expected one of trace, debug, info, warn, error, fatal, got "loud" (from payferry.toml)',
      'database.pool_size: expected a whole number from 2 to 200, got "many" (from payferry.toml)',
      'sandbox.api_secret must be set together with sandbox.api_key (not set)',
    ]);
  });

  it('are also found in a value that another one outranks', () => {
    writeFile('port = "8080"\n');
    expect(mistakesOf({ flags: { port: '8080' } })).toEqual([
      'port: expected a port number from 0 to 65535, got "8080" (from payferry.toml)',
    ]);
  });

  it('in an address are reported without the credentials and the query that it may not have', () => {
    const [mistake] = mistakesOf({ env: { PAYFERRY_PUBLIC_URL: 'https://ada:hu@sh@pay.example.com/a?token=hush' } });
    expect(mistake).toContain(', got "https://...@pay.example.com/a?..." (from PAYFERRY_PUBLIC_URL)');
  });

  it('in a secret are reported without the secret', () => {
    writeFile('master_key = "hunter2-in-file"\n');
    const sources = { env: { DATABASE_URL: 'mysql://me:hunter2@db' }, flags: { sandboxApiSecret: 'hunter2 space' } };
    const mistakes = mistakesOf(sources);
    expect(mistakes).toHaveLength(3);
    expect(mistakes.join('\n')).not.toContain('hunter2');
  });

  it('show long, large and nested values shortened instead of failing over them', () => {
    writeFile(`port = 9223372036854775807\nhost = "${'x'.repeat(500)}"\n[data]\nn = 9223372036854775807\n`);
    const mistakes = mistakesOf({});
    expect(mistakes).toHaveLength(3);
    expect(mistakes.join('\n')).toContain('got "9223372036854775807"');
    expect(Math.max(...mistakes.map((mistake) => mistake.length))).toBeLessThan(200);
  });

  it('are not looked for in environment variables that are not ours', () => {
    expect(loaded({ env: { PATH: '/bin', PORT: 'x', NODE_ENV: 'test' } }).settings.port).toBe(3000);
  });

  it('an unreadable file does not also bring complaints about what may stand in it', () => {
    writeFile('public_url = "https://pay.example\n');
    expect(mistakesOf({ env: { PAYFERRY_MODE: 'live' } })).toEqual([
      expect.stringContaining('settings file payferry.toml: line 1'),
    ]);
  });

  it('a rule stays silent about a value that is itself mistaken', () => {
    expect(mistakesOf({ flags: { mode: 'live', publicUrl: 'pay.example' } })).toEqual([
      expect.stringMatching(/^public_url: expected .* \(from --public-url\)$/),
    ]);
  });
});

describe('the loaded settings', () => {
  it('are nested by group, in camel case, with durations in milliseconds', () => {
    const { settings } = loaded({ env: { PAYFERRY_MASTER_KEY: '0f'.repeat(32) } });
    expect(settings.database.statementTimeoutMs).toBe(30_000);
    expect(settings.rates.staleAfterMs).toBe(86_400_000);
    expect(settings.nonces.retentionMs).toBe(604_800_000);
    expect(settings.http.bodyLimitBytes).toBe(10 * 1024 * 1024);
    expect(settings.publicUrl).toBeNull();
    expect(settings.masterKey).toEqual(Buffer.alloc(32, 0x0f));
  });

  it('have exact types', () => {
    expectTypeOf<Settings['mode']>().toEqualTypeOf<'sandbox' | 'live'>();
    expectTypeOf<Settings['port']>().toEqualTypeOf<number>();
    expectTypeOf<Settings['publicUrl']>().toEqualTypeOf<string | null>();
    expectTypeOf<Settings['masterKey']>().toEqualTypeOf<Uint8Array | null>();
    expectTypeOf<Settings['shutdown']['drainMs']>().toEqualTypeOf<number>();
    expectTypeOf<Settings['shutdown']['graceMs']>().toEqualTypeOf<number>();
    expectTypeOf<Settings['quotes']['inputRounding']>().toEqualTypeOf<'up' | 'cut'>();
    expectTypeOf<Settings['rates']['margins']>().toEqualTypeOf<TextMap>();
    expectTypeOf<Settings['limits']['enforceSoft']>().toEqualTypeOf<boolean>();
  });

  it('cannot be changed', () => {
    const { settings } = loaded({});
    expect(Reflect.set(settings, 'port', 1)).toBe(false);
    expect(Reflect.set(settings.operator, 'port', 1)).toBe(false);
    expect(Reflect.set(settings.rates.margins, '*', '0.5')).toBe(false);
  });
});
