import { expect, it } from 'vitest';
import { groupBy } from './group-by.ts';

it('puts items of one name together, in their order', () => {
  const byFirst = groupBy(['beer', 'ale', 'bread'], (word) => word.charAt(0));
  expect([...byFirst]).toEqual([
    ['b', ['beer', 'bread']],
    ['a', ['ale']],
  ]);
});
