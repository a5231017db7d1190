import { describe, expect, it } from 'vitest';
import {
  checkMetadata,
  faultOfText,
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

describe('metadata', () => {
  it('comes back as it was sent', () => {
    const value = { id: 5, tags: ['a', { b: null }], 'any key': 'ü' };
    expect(checkMetadata(value)).toEqual({ ok: true, value });
    expect(checkMetadata({})).toEqual({ ok: true, value: {} });
  });

  it.each([
    ['nothing', undefined, 'blank'],
    ['null', null, 'blank'],
    ['a list', [], 'invalid'],
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
