/** docs/collections.md shows the codes of the table, row by row, and no other. */
import { expect, it } from 'vitest';
import { PAYIN_CODES } from '../../server/src/payins/code-table.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

it('the codes in the document are those of the code', () => {
  expect(tableUnder(readDocument('docs/collections.md'), 'Codes')).toEqual({
    header: ['Code', 'Messages', 'Description'],
    rows: PAYIN_CODES.map(({ code, messages, description }) => [code, messages.join('; '), description]),
  });
});
