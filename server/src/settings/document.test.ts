import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_FILE, settingsDocument } from './document.ts';
import { loadSettings } from './load.ts';
import { SETTINGS } from './table.ts';

describe('docs/settings.md', () => {
  it('is what the code generates; `npm run docs` brings it up to date', () => {
    const committed = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
    expect(committed).toBe(settingsDocument());
  });

  it('says in its first line that it is generated, and how', () => {
    expect(settingsDocument().split('\n', 1)[0]).toMatch(/Generated .*`npm run docs`/);
  });

  it('has exactly one line for each setting, with its six cells', () => {
    const rows = settingsDocument()
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows.map((row) => row.split('`')[1])).toEqual(expect.arrayContaining(SETTINGS.map(({ key }) => key)));
    expect(rows).toHaveLength(SETTINGS.length);
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(8);
  });

  it('lists the variables that are no settings and are not refused', () => {
    const [, listed = ''] = settingsDocument().split('## Other environment variables');
    const names = [...listed.matchAll(/^- `(\w+)`: \S/gm)].map(([, name]) => name);
    expect(names).toEqual(['PAYFERRY_OPERATOR_URL', 'PAYFERRY_OPERATOR_TOKEN', 'PAYFERRY_POSTGRES_BIN']);
  });

  it('names the open point and the live rule of a setting', () => {
    expect(settingsDocument()).toMatch(/\| `nonces\.retention` .* Open point OP-98\. \|/);
    expect(settingsDocument()).toMatch(/\| `sandbox\.api_key` .* In live mode it must not be set\. \|/);
  });

  it('shows a settings file that loads', () => {
    const directory = mkdtempSync(join(tmpdir(), 'payferry-settings-doc-'));
    try {
      writeFileSync(join(directory, 'payferry.toml'), EXAMPLE_FILE);
      expect(loadSettings({ flags: {}, env: {}, directory })).toMatchObject({ ok: true, settings: { port: 8080 } });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
