import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_DEPTH, MAX_BODY_VALUES, readJson } from './body.ts';

const read = (text: string) => readJson(Buffer.from(text, 'utf8'));
const problemOf = (text: string | Buffer) => {
  const result = typeof text === 'string' ? read(text) : readJson(text);
  return 'problem' in result ? result.problem : undefined;
};

describe('the JSON of a body', () => {
  it('is read whole', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('u0000') || text.includes('__proto__')) return;
        expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['', ' ', '{', '{"a":}', '{"a":1,}', "{'a':1}", 'undefined', '{"a":01}', '\ufeff{}', '{"a":"\n"}', '[1] 2'])(
    'is refused when it is %j',
    (text) => {
      expect(problemOf(text)).toBe('not_json');
    },
  );

  it.each([
    ['a byte that begins nothing', [0x22, 0xff, 0x22]],
    ['a character cut off', [0x22, 0xc3, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['half of a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0x22, 0x00, 0x61, 0x00]],
  ])('is refused with %s', (_, bytes) => {
    expect(problemOf(Buffer.from(bytes))).toBe('not_json');
  });

  it('may be nested as deep as the bound and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(problemOf(nested(MAX_BODY_DEPTH))).toBeUndefined();
    expect(problemOf(nested(MAX_BODY_DEPTH + 1))).toBe('too_complex');
    expect(problemOf('{"a":'.repeat(MAX_BODY_DEPTH + 1))).toBe('too_complex');
    expect(problemOf('['.repeat(1_000_000))).toBe('too_complex');
  });

  it('may hold as many values as the bound and no more', () => {
    const list = (values: number) => `[${Array.from({ length: values }, () => '1').join(',')}]`;
    expect(problemOf(list(MAX_BODY_VALUES - 1))).toBeUndefined();
    expect(problemOf(list(MAX_BODY_VALUES))).toBe('too_complex');
  });

  it('is not counted inside of texts', () => {
    const text = JSON.stringify({ note: `${'[{,"\\'.repeat(30_000)}`, back: '\\', quote: '"' });
    expect(problemOf(text)).toBeUndefined();
  });

  it.each(['\\\\', '\\\\\\\\', `${'x'.repeat(100)}\\\\`])(
    'is counted again behind a text that ends in backslashes',
    (text) => {
      const nested = '['.repeat(MAX_BODY_DEPTH) + ']'.repeat(MAX_BODY_DEPTH);
      expect(problemOf(`["${text}",${nested}]`)).toBe('too_complex');
    },
  );

  it.each(['{"__proto__":{"admin":true},"a":1}', '{"\\u005f_proto__":{"admin":true},"a":1}'])(
    'cannot reach into a prototype: %s',
    (text) => {
      const result = read(text);
      expect(result).toEqual({ ok: true, value: { a: 1 } });
      expect(result.ok && Object.keys(Object(result.value))).toEqual(['a']);
      expect(Object.assign({}, result.ok ? result.value : {})).not.toHaveProperty('admin');
    },
  );

  it.each<[string, (string | number)[][]]>([
    ['"\\u0000"', [[]]],
    [
      '{"a":["x\\u0000y"],"b":1,"c":{"d":"\\u0000"}}',
      [
        ['a', 0],
        ['c', 'd'],
      ],
    ],
    ['{"a":{"b\\u0000":1}}', [['a']]],
  ])('is refused with NUL characters, at their places: %s', (text, paths) => {
    const refusals = paths.map((path) => ({ code: 'invalid', path }));
    expect(read(text)).toEqual({ ok: false, value: JSON.parse(text), refusals });
  });

  it.each(['"\\\\u0000"', '"\\u0001"', '"\\ud800"', '"_\\u005fproto__"'])('takes other escapes: %s', (text) => {
    expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});
