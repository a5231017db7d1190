import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES, readSettingsFile } from './file.ts';

const directory = mkdtempSync(join(tmpdir(), 'payferry-settings-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

const path = join(directory, 'payferry.toml');

function read(content: string | Uint8Array) {
  writeFileSync(path, content);
  return readSettingsFile({ path, name: 'payferry.toml', mustExist: false });
}

describe('the settings file', () => {
  it('gives its values by the keys of the settings, and a map as a whole', () => {
    const file = read('port = 8080\nlog.level = "warn"\n[operator]\nport = 0\n[rates.margins]\n"*" = "0.01"\n');
    expect(file.mistakes).toEqual([]);
    expect(Object.fromEntries(file.written)).toEqual({
      port: 8080,
      'log.level': 'warn',
      'operator.port': 0,
      'rates.margins': { '*': '0.01' },
    });
  });

  it('may begin with a byte order mark, as some editors write it', () => {
    expect(read('\ufeffport = 8080\n').written.get('port')).toBe(8080);
  });

  it.each([
    ['prot = 1', 'unknown key prot; did you mean port?'],
    ['pool_size = 5', 'unknown key pool_size; did you mean database.pool_size?'],
    ['[operater]\nport = 1', 'unknown key operater.port; did you mean operator.port?'],
    ['[operator]\nzebra = 1', 'unknown key operator.zebra'],
    ['[zebra]', 'unknown key zebra'],
    ['operator = 3001', 'operator is a group; its settings stand under [operator]'],
    ['zebra = 2026-01-01', 'unknown key zebra'],
    ['"__proto__" = 1', 'unknown key __proto__'],
    ['constructor = 1', 'unknown key constructor'],
    ['"operator.port" = 1\n[operator]\nport = 2', 'operator.port is given twice'],
    ['[[operator]]\nport = 1', 'operator is a group; its settings stand under [operator]'],
  ])('%j is answered with: %s', (content, complaint) => {
    expect(read(content).mistakes).toEqual([`settings file payferry.toml: ${complaint}`]);
  });

  it('reports every unknown key, not only the first', () => {
    expect(read('a_first = 1\nport = 1\n[z]\nb_second = 1\nc_third = 1').mistakes).toHaveLength(3);
  });

  it('that is not valid TOML is refused by line and column, without repeating its text', () => {
    const file = read('port = 1\nmaster_key = "a-very-secret-text\n');
    expect(file.isReadable).toBe(false);
    expect(file.mistakes).toEqual([
      expect.stringMatching(/^settings file payferry\.toml: line 2, column \d+: not valid TOML: \S/),
    ]);
    expect(file.mistakes.join()).not.toContain('secret');
  });

  it('that is not UTF-8 is refused', () => {
    expect(read(new Uint8Array([0x61, 0xff, 0xfe])).mistakes[0]).toContain('cannot be read');
  });

  it('that is too large is refused before it is read', () => {
    expect(read('#'.repeat(MAX_FILE_BYTES + 1)).mistakes[0]).toContain(`larger than ${MAX_FILE_BYTES} bytes`);
    expect(read('#'.repeat(MAX_FILE_BYTES)).mistakes).toEqual([]);
  });

  it('need not exist in its usual place, but must when somebody named it', () => {
    const missing = { path: join(directory, 'missing.toml'), name: 'missing.toml' };
    expect(readSettingsFile({ ...missing, mustExist: false }).mistakes).toEqual([]);
    expect(readSettingsFile({ ...missing, mustExist: true }).mistakes).toEqual([
      'settings file missing.toml: no such file',
    ]);
  });

  it('must be a file, not a directory', () => {
    const file = readSettingsFile({ path: directory, name: 'etc', mustExist: true });
    expect(file.mistakes).toEqual(['settings file etc: cannot be read (EISDIR)']);
  });
});
