import { expect, it } from 'vitest';
import { distinctBy } from './distinct.ts';

it('of items with one name the last is kept, at the place of the first', () => {
  const items = ['a1', 'b1', 'a2', 'c1', 'b2'];
  expect(distinctBy(items, (item) => item.charAt(0))).toEqual(['a2', 'b2', 'c1']);
});
