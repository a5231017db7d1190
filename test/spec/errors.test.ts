/** docs/errors.md has one row for each refusal of the code, with the same words, and no other. */
import { expect, it } from 'vitest';
import { REFUSALS } from '../../server/src/kernel/refusal.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

/** Published words; all others are ours. */
const PUBLISHED = ['blank', 'invalid'];

it('the refusals in the document are those of the code', () => {
  expect(tableUnder(readDocument('docs/errors.md'), 'Error words')).toEqual({
    header: ['Code', 'Meaning', 'Origin'],
    rows: Object.entries(REFUSALS).map(([code, meaning]) => [
      code,
      meaning,
      PUBLISHED.includes(code) ? 'published' : 'ours',
    ]),
  });
});
