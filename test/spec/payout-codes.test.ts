/** docs/payout-codes.md has one row for each code of the table and one for each category, and no other. */
import { expect, it } from 'vitest';
import { CODE_TABLE } from '../../server/src/recipients/code-table.ts';
import { CODE_CLASSES } from '../../server/src/recipients/error-codes.ts';
import { reasonOf, waitReasonOf } from '../../server/src/recipients/state-reason.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

const document = readDocument('docs/payout-codes.md');

function categoryOf(code: string): string {
  if (code === '0') return 'paid';
  return (/^[12]/.test(code) ? waitReasonOf(code) : reasonOf(code)).details.category;
}

it('the codes in the document are those of the code', () => {
  expect(tableUnder(document, 'All codes')).toEqual({
    header: ['Code', 'Category', 'First message', 'Second message', 'Third message', 'Description'],
    rows: CODE_TABLE.map(({ code, messages, description }) => [code, categoryOf(code), ...messages, description]),
  });
});

it('the document tells what each category asks of the caller', () => {
  const { rows } = tableUnder(document, 'Codes of payouts');
  expect(rows.map(([category]) => category)).toEqual(CODE_CLASSES.map(({ category }) => category));
});
