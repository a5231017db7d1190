/** A refusal promises nothing of what another request may have made. */
import { expect, it } from 'vitest';
import { RefusedNames } from '../../simulate/refused-names.ts';
import { answerOf, answers } from './answers.ts';

it.each([
  ['refused', [422], ['a name']],
  ['refused twice', [422, 422], ['a name']],
  ['made', [201], []],
  ['made, and refused when asked for again', [201, 422], []],
  ['refused, and made when asked for again', [422, 201], []],
  ['refused, and asked for again without an answer', [422, undefined], []],
  ['refused, and asked for again with an outcome that nobody knows', [422, 503], []],
] as const)('what was %s', async (_, statuses, promised) => {
  const names = new RefusedNames();
  for (const status of statuses) await names.during('a name', answers(status));
  expect(names.all()).toEqual(promised);
});

it('of a double click nothing is promised before both are answered', async () => {
  const names = new RefusedNames();
  const second = answerOf();
  await Promise.all([
    names.during('a name', second.send),
    names.during('a name', answers(422)).then(() => {
      expect(names.all()).toEqual([]);
      second.give(422);
    }),
  ]);
  expect(names.all()).toEqual(['a name']);
});

it('what came about in another way is not promised to be missing', async () => {
  const names = new RefusedNames();
  await names.during('a name', answers(422));
  names.allow('a name');
  expect(names.all()).toEqual([]);
});
