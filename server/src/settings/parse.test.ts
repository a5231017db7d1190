import { describe, expect, it } from 'vitest';
import { expectation } from './expectation.ts';
import { MAX_ENTRIES, MAX_TEXT_LENGTH, parseSetting, readText } from './parse.ts';
import type { Setting, SettingValue } from './setting.ts';

const HEX = 'ab'.repeat(32);
const KEY = Buffer.alloc(32, 0xab);

const ROWS = {
  string: { key: 'x', kind: 'string', pattern: /^[a-z]+$/, expects: 'small letters', default: 'a', description: '' },
  integer: { key: 'x', kind: 'integer', min: 2, max: 200, default: 10, description: '' },
  port: { key: 'x', kind: 'port', default: 1, description: '' },
  boolean: { key: 'x', kind: 'boolean', default: false, description: '' },
  duration: { key: 'x', kind: 'duration', min: '1s', max: '1h', default: '5s', description: '' },
  url: { key: 'x', kind: 'url', schemes: ['postgres', 'postgresql'], default: null, description: '' },
  base: { key: 'x', kind: 'url', schemes: ['http', 'https'], base: true, default: null, description: '' },
  choice: { key: 'x', kind: 'choice', choices: ['up', 'cut'], default: 'up', description: '' },
  path: { key: 'x', kind: 'path', default: './data', description: '' },
  key: { key: 'x', kind: 'key', default: null, description: '' },
  list: { key: 'x', kind: 'list', pattern: /^[a-z]+$/, expects: 'small letters', default: [], description: '' },
  map: {
    key: 'x',
    kind: 'map',
    namePattern: /^[a-z*]+$/,
    valuePattern: /^[0-9]+$/,
    expects: 'names with digits',
    default: {},
    description: '',
  },
} as const satisfies Record<string, Setting>;

type RowName = keyof typeof ROWS;

/** Text as a flag or an environment variable gives it, and the value that comes of it. */
const ACCEPTED: readonly (readonly [RowName, string, SettingValue])[] = [
  ['string', 'abc', 'abc'],
  ['integer', '2', 2],
  ['integer', '200', 200],
  ['port', '0', 0],
  ['port', '65535', 65_535],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['duration', '1s', 1_000],
  ['duration', '60m', 3_600_000],
  ['url', 'postgres://me:pw@db.example/pay?sslmode=require', 'postgres://me:pw@db.example/pay?sslmode=require'],
  ['url', 'postgresql:///pay?host=/run/postgresql', 'postgresql:///pay?host=/run/postgresql'],
  ['url', '', null],
  ['base', 'https://pay.example', 'https://pay.example'],
  ['base', 'https://pay.example:443/', 'https://pay.example:443'],
  ['base', 'HTTPS://Pay.example/in//', 'HTTPS://Pay.example/in'],
  ['choice', 'cut', 'cut'],
  ['path', '/var/lib/pay ferry', '/var/lib/pay ferry'],
  ['key', HEX, KEY],
  ['key', HEX.toUpperCase(), KEY],
  ['key', KEY.toString('base64'), KEY],
  ['key', KEY.toString('base64url'), KEY],
  ['list', '', []],
  ['list', 'a, b,c', ['a', 'b', 'c']],
  ['map', '', {}],
  ['map', '*=0, abc = 12', { '*': '0', abc: '12' }],
];

const REFUSED: readonly (readonly [RowName, string])[] = [
  ['string', ''],
  ['string', 'ABC'],
  ['integer', ''],
  ['integer', '1'],
  ['integer', '201'],
  ['integer', '10.5'],
  ['integer', '1e2'],
  ['integer', '0x10'],
  ['integer', 'ten'],
  ['port', '-1'],
  ['port', '65536'],
  ['boolean', 'yes'],
  ['boolean', '1'],
  ['boolean', ''],
  ['duration', '10'],
  ['duration', '999ms'],
  ['duration', '61m'],
  ['url', 'mysql://db.example/pay'],
  ['url', 'db.example/pay'],
  ['url', 'postgres://[broken'],
  ['base', 'ftp://pay.example'],
  ['base', 'https:pay.example'],
  ['base', 'https://'],
  ['base', 'https://me:pw@pay.example'],
  ['base', 'https://pay.example/?a=1'],
  ['base', 'https://pay.example/#top'],
  ['base', ' https://pay.example'],
  ['choice', 'UP'],
  ['choice', 'down'],
  ['path', ''],
  ['path', 'a\0b'],
  ['key', 'ab'.repeat(31)],
  ['key', 'zz'.repeat(32)],
  ['key', Buffer.alloc(31).toString('base64')],
  ['key', Buffer.alloc(33).toString('base64')],
  ['list', 'a,,b'],
  ['list', 'a,B'],
  ['map', 'abc'],
  ['map', 'abc=x'],
  ['map', 'ABC=1'],
  ['map', 'a=1,a=2'],
];

/** Values as the settings file gives them, where the type alone is wrong. */
const REFUSED_IN_FILE: readonly (readonly [RowName, unknown])[] = [
  ['string', 5],
  ['integer', '10'],
  ['integer', 10.5],
  ['integer', 10n],
  ['port', '3000'],
  ['boolean', 'true'],
  ['boolean', 1],
  ['duration', 30],
  ['url', true],
  ['choice', ['up']],
  ['path', {}],
  ['key', 7],
  ['list', 'a,b'],
  ['list', ['a', 5]],
  ['map', 'a=1'],
  ['map', { a: 1 }],
  ['map', ['a']],
  ['map', new Date(0)],
];

describe('a value given as text', () => {
  it.each(ACCEPTED)('%s accepts %j', (name, text, value) => {
    const setting: Setting = ROWS[name];
    expect(parseSetting(setting, readText(setting, text))).toEqual(value);
  });

  it.each(REFUSED)('%s refuses %j', (name, text) => {
    const setting: Setting = ROWS[name];
    expect(parseSetting(setting, readText(setting, text))).toBeUndefined();
  });
});

describe('bounds', () => {
  it('a text is refused when it is longer than its bound', () => {
    expect(parseSetting(ROWS.string, 'a'.repeat(MAX_TEXT_LENGTH))).toBeDefined();
    expect(parseSetting(ROWS.string, 'a'.repeat(MAX_TEXT_LENGTH + 1))).toBeUndefined();
  });

  it('a list or a map is refused when it has more entries than its bound', () => {
    const letters = Array.from({ length: MAX_ENTRIES + 1 }, (_, index) =>
      index.toString(26).replaceAll(/[0-9]/g, digitToLetter),
    );
    expect(parseSetting(ROWS.list, letters.slice(1))).toHaveLength(MAX_ENTRIES);
    expect(parseSetting(ROWS.list, letters)).toBeUndefined();
    const entries = letters.map((name): [string, string] => [name, '1']);
    expect(parseSetting(ROWS.map, Object.fromEntries(entries.slice(1)))).toBeDefined();
    expect(parseSetting(ROWS.map, Object.fromEntries(entries))).toBeUndefined();
  });
});

/** Digits become the letters that base 26 does not use, so that each number is a name of its own. */
function digitToLetter(digit: string): string {
  return 'qrstuvwxyz'.charAt(Number(digit));
}

describe('a value given in the settings file', () => {
  it.each(REFUSED_IN_FILE)('%s refuses %o, which has another type', (name, written) => {
    expect(parseSetting(ROWS[name], written)).toBeUndefined();
  });
});

describe('what is expected', () => {
  it.each<[RowName, string]>([
    ['string', 'small letters'],
    ['integer', 'a whole number from 2 to 200'],
    ['port', 'a port number from 0 to 65535'],
    ['boolean', 'true or false'],
    ['duration', 'a duration from 1s to 1h (units ms, s, m, h, d)'],
    ['url', 'an address that begins with postgres:// or postgresql://'],
    ['base', 'an address that begins with http:// or https://, without credentials, query or fragment'],
    ['choice', 'one of up, cut'],
    ['path', 'a path'],
    ['key', '32 bytes as 64 hex digits or as base64'],
    ['list', 'a list, each entry small letters'],
    ['map', 'names with digits'],
  ])('is said in words for %s', (name, words) => {
    expect(expectation(ROWS[name])).toBe(words);
  });
});
