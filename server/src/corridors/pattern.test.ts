import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern.ts';

describe('a pattern in a corridor file', () => {
  it.each([
    ['^[0-9]{9}$', '123456789', '12345678'],
    ['^[0-9]{2}-?[0-9]{2}$', '12-34', '12--34'],
    ['^FZ[A-Z0-9]{1,4}$', 'FZA1', 'FZ'],
  ])('%s is taken', (pattern, good, bad) => {
    const compiled = compilePattern(pattern);
    expect(compiled).toBeInstanceOf(RegExp);
    if (!(compiled instanceof RegExp)) return;
    expect([compiled.test(good), compiled.test(bad)]).toEqual([true, false]);
  });

  it.each([
    ['it does not hold the whole value', '[0-9]{9}', 'does not begin with ^ and end with $'],
    ['a count is not bounded', '^[0-9]+$', 'has a part that is not taken, at character 7'],
    [
      'it has groups, which can take exponential time',
      '^([a-z]{1,9}){1,9}$',
      'has a part that is not taken, at character 2',
    ],
    ['a count ends before it begins', '^[0-9]{4,2}$', 'has a count that ends before it begins, at character 2'],
    ['matching could try too much', '^[0-9]{1,99}[0-9]{1,99}$', 'has too many parts of variable length'],
    ['a set runs backwards', '^[9-0]$', 'is not a pattern'],
  ])('is refused when %s', (_what, pattern, says) => {
    expect(compilePattern(pattern)).toEqual({ says });
  });
});
