/**
 * What is known of details after edits: nothing that an edit without a clear answer, or one of two at once, has
 * touched.
 */
import { expect, it } from 'vitest';
import { KnownDetails } from '../../simulate/known-details.ts';
import { answerOf, answers } from './answers.ts';

const BEFORE = { name: 'Ada', street: '1 High Street' };
const CHANGE = { name: 'Adah' };

function created(): KnownDetails {
  const known = new KnownDetails();
  known.learn('id', BEFORE);
  return known;
}

it.each([
  ['that was taken is there', 200, false, { ...BEFORE, ...CHANGE }],
  ['that was refused has changed nothing', 422, true, BEFORE],
  ['without an answer may be there or not', undefined, false, { street: BEFORE.street }],
  ['with an outcome that nobody knows may be there or not', 503, false, { street: BEFORE.street }],
] as const)('an edit %s', async (_, status, isRefused, details) => {
  const known = created();
  await known.edit('id', CHANGE, answers(status));
  expect(known.all({ isRefused })).toEqual([['id', details]]);
  expect(known.all({ isRefused: !isRefused })).toEqual([]);
});

it('nobody knows which of two edits at once came last', async () => {
  const known = created();
  const first = answerOf();
  await Promise.all([
    known.edit('id', CHANGE, first.send),
    known.edit('id', { name: 'Adda' }, answers(422)).then(() => first.give(200)),
  ]);
  expect(known.all({ isRefused: false })).toEqual([['id', { street: BEFORE.street }]]);
});

it('what is learned of an object later does not undo its edits', async () => {
  const known = created();
  await known.edit('id', CHANGE, answers(200));
  known.learn('id', BEFORE);
  expect(known.all({ isRefused: false })).toEqual([['id', { ...BEFORE, ...CHANGE }]]);
});
