import { describe, expect, it } from 'vitest';
import { sameFields } from './same-fields.ts';

const WHOLE = { a: 1, at: new Date(5), list: ['x'], none: null };

describe('two records say the same', () => {
  it('when every field does, moments by their time', () => {
    expect(sameFields(WHOLE, { ...WHOLE, at: new Date(5) })).toBe(true);
  });

  it.each([
    ['a number', { a: 2 }],
    ['a moment', { at: new Date(6) }],
    ['a moment that is none', { at: new Date(Number.NaN) }],
    ['something instead of nothing', { none: new Date(5) }],
    ['a list of its own, which may be changed', { list: ['x'] }],
  ])('but not when %s differs', (_, change) => {
    expect(sameFields<object>(WHOLE, { ...WHOLE, ...change })).toBe(false);
  });
});
