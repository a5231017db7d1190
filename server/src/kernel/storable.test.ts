import { describe, expect, it } from 'vitest';
import {
  checkMetadata,
  faultOfText,
  isBlank,
  MAX_METADATA_BYTES,
  MAX_METADATA_DEPTH,
  MAX_TEXT_CHARS,
  readId,
} from './storable.ts';

const nested = (depth: number): unknown => (depth === 1 ? {} : { a: nested(depth - 1) });

describe('text that is kept', () => {
  it.each([
    ['letters of any script', 'Ọlá Żółć 李'],
    ['line breaks and tabs', 'Flat 2\nLong Road\t5'],
    ['characters outside of the basic plane', 'a😀b'],
    ['as many characters as the bound', 'x'.repeat(MAX_TEXT_CHARS)],
  ])('may have %s', (_, text) => {
    expect(faultOfText(text)).toBeUndefined();
  });

  it.each([
    ['a NUL, which the database has no place for', 'a\u0000b', 'invalid'],
    ['an escape character', 'a\u001b[31m', 'invalid'],
    ['half of a surrogate pair', 'a\ud800b', 'invalid'],
    ['a character above the bound', 'x'.repeat(MAX_TEXT_CHARS + 1), 'too_large'],
  ])('may not have %s', (_, text, code) => {
    expect(faultOfText(text)).toBe(code);
  });

  it.each([[5], [true], [null], [undefined], [{}], [[]]])('is not %j', (value) => {
    expect(faultOfText(value)).toBe('invalid');
  });
});

describe('what is not given', () => {
  it.each<[string, unknown]>([
    ['what is missing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['spaces of any kind', ' \t\r\n\u00a0\u2003\u3000\u2028'],
    ['a space without width', '\u200b'],
    ['a byte order mark', '\ufeff'],
    ['fillers of Hangul', '\u3164\u115f\u1160\uffa0'],
    ['joiners', '\u200c\u200d\u2060'],
    ['marks of direction and a soft hyphen', '\u200e\u202e\u2066\u2069\u00ad'],
    ['selectors and tags', '\ufe0f\u{e0100}\u{e0041}'],
    ['Braille without dots', '\u2800\u2800'],
    ['all of them, many times', ' \u200b\u3164\u2800'.repeat(50_000)],
  ])('is %s', (_, value) => {
    expect(isBlank(value)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a letter', 'a'],
    ['a name with a joiner inside', 'علی\u200cرضا'],
    ['a name of Hangul', '홍길동'],
    ['a name whose vowels are marks', 'हिन्दी'],
    ['an emoji of several', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a digit that is drawn as an emoji', '1\ufe0f\u20e3'],
    ['a flag', '\u{1f1f3}\u{1f1ec}'],
    ['Braille', '\u2801'],
    ['a point', '.'],
    ['a control character, which is refused as such', '\u0001'],
    ['half of a surrogate pair, which is refused as such', '\ud800'],
    ['a letter behind many characters that are not seen', `${'\u200b'.repeat(200_000)}a`],
    ['a number', 0],
    ['false', false],
    ['an empty list', []],
  ])('is not %s', (_, value) => {
    expect(isBlank(value)).toBe(false);
  });
});

describe('metadata', () => {
  it('comes back as it was sent', () => {
    const value = { id: 5, tags: ['a', { b: null }], 'any key': 'ü' };
    expect(checkMetadata(value)).toEqual({ ok: true, value });
    expect(checkMetadata({})).toEqual({ ok: true, value: {} });
  });

  it('is empty where an empty list comes, as some languages write an empty object', () => {
    expect(checkMetadata([])).toEqual({ ok: true, value: {} });
  });

  it.each([
    ['nothing', undefined, 'blank'],
    ['null', null, 'blank'],
    ['a list of something', [{ a: 1 }], 'invalid'],
    ['a text', 'a=1', 'invalid'],
    ['a number', 5, 'invalid'],
    ['an object that is too deep', nested(MAX_METADATA_DEPTH + 1), 'too_large'],
    ['an object that would break a recursive reader', nested(5_000), 'too_large'],
    ['an object that is too large', { a: 'x'.repeat(MAX_METADATA_BYTES) }, 'too_large'],
    ['an object whose letters take more bytes than characters', { a: 'ü'.repeat(MAX_METADATA_BYTES / 2) }, 'too_large'],
  ])('is not %s', (_, value, code) => {
    expect(checkMetadata(value)).toMatchObject({ ok: false, refusals: [{ code, path: [] }] });
  });

  it('may be as deep and as large as its bounds', () => {
    expect(checkMetadata(nested(MAX_METADATA_DEPTH)).ok).toBe(true);
    const frame = JSON.stringify({ a: '' }).length;
    expect(checkMetadata({ a: 'x'.repeat(MAX_METADATA_BYTES - frame) }).ok).toBe(true);
  });
});

describe('an id', () => {
  it('is a UUID, read in small letters', () => {
    expect(readId('B6648BA3-1C7B-4F59-8580-684899C84A07')).toBe('b6648ba3-1c7b-4f59-8580-684899c84a07');
  });

  it.each(['', 'b6648ba31c7b4f598580684899c84a07', '{b6648ba3-1c7b-4f59-8580-684899c84a07}', 'x', 5, null])(
    'is not %j',
    (value) => {
      expect(readId(value)).toBeUndefined();
    },
  );
});
