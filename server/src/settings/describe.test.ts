import { describe, expect, it } from 'vitest';
import { describeSettings } from './describe.ts';
import { loadSettings } from './load.ts';
import { SETTINGS } from './table.ts';

const SECRETS = {
  DATABASE_URL: 'postgres://me:hunter2@db.example/pay',
  PAYFERRY_MASTER_KEY: '0f'.repeat(32),
  PAYFERRY_API_KEY: 'sandbox-key',
  PAYFERRY_API_SECRET: 'sandbox-hunter2',
};

function describeWith(env: Record<string, string>, flags: Record<string, string> = {}) {
  const result = loadSettings({ flags, env, directory: '/nonexistent-directory' });
  if (!result.ok) throw new Error(result.mistakes.join('\n'));
  return describeSettings(result.settings, result.origins);
}

describe('the listing of settings', () => {
  it('has one row for each setting, in the order of the table', () => {
    expect(describeWith({}).map((row) => row.key)).toEqual(SETTINGS.map((setting) => setting.key));
  });

  it('shows a value as one would write it, and where it came from', () => {
    const rows = describeWith({ PAYFERRY_RATES_MARGINS: '*=0,USD/NGN=0.01' }, { httpRequestTimeout: '90s' });
    const byKey = new Map(rows.map((row) => [row.key, [row.value, row.origin, row.originName]]));
    expect(byKey.get('http.request_timeout')).toEqual(['90s', 'flag', '--http-request-timeout']);
    expect(byKey.get('rates.margins')).toEqual(['*=0,USD/NGN=0.01', 'env', 'PAYFERRY_RATES_MARGINS']);
    expect(byKey.get('rates.stale_after')).toEqual(['24h', 'default', 'default']);
    expect(byKey.get('port')).toEqual(['3000', 'default', 'default']);
    expect(byKey.get('trust_proxy')).toEqual(['false', 'default', 'default']);
    expect(byKey.get('public_url')).toEqual([null, 'default', 'default']);
  });

  it('says that a secret is set and never shows it', () => {
    const rows = describeWith(SECRETS);
    const text = JSON.stringify(rows);
    for (const part of ['hunter2', 'db.example', '0f0f', 'Dw8P']) expect(text).not.toContain(part);
    const masked = rows.filter((row) => row.value === '(set)').map((row) => row.key);
    expect(masked).toEqual(['master_key', 'database.url', 'sandbox.api_secret']);
    expect(rows.find((row) => row.key === 'sandbox.api_key')?.value).toBe('sandbox-key');
  });

  it('says that a secret is not set', () => {
    expect(describeWith({}).find((row) => row.key === 'master_key')?.value).toBeNull();
  });
});
