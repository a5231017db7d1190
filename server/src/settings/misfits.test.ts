import { describe, expect, it } from 'vitest';
import { misfitsIn } from './misfits.ts';
import { readText } from './parse.ts';
import type { Setting } from './setting.ts';

const about = { key: 'x', expects: '', description: '' } as const;
const LIST: Setting = { ...about, kind: 'list', pattern: /^[a-z]+$/, default: [] };
const MAP: Setting = { ...about, kind: 'map', namePattern: /^[a-z*]+$/, valuePattern: /^[0-9]+$/, default: {} };
const NUMBER: Setting = { key: 'x', description: '', kind: 'port', default: 1 };

describe('the entries that do not fit', () => {
  it.each<[string, Setting, string, string[]]>([
    ['of a list', LIST, 'a,B,c,4', ['B', '4']],
    ['of a map, by name or by value', MAP, 'a=1,B=2,c=x', ['B=2', 'c=x']],
    ['of text that is not made of pairs', MAP, 'a=1,b', ['b']],
    ['of a map that has one name twice', MAP, 'a=1, a=2', ['a=2']],
    ['are none where all fit', MAP, 'a=1', []],
    ['are none of what has no entries', NUMBER, 'x', []],
  ])('%s', (_which, setting, written, misfits) => {
    expect(misfitsIn(setting, readText(setting, written))).toEqual(misfits);
  });

  it('are shown as they are written in a file, whatever their type', () => {
    expect(misfitsIn(LIST, ['a', 5, { b: 1n }])).toEqual(['5', '{"b":"1"}']);
    expect(misfitsIn(MAP, { a: 1n })).toEqual(['a="1"']);
    expect(misfitsIn(MAP, ['a'])).toEqual([]);
  });
});
