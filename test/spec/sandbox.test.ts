/** docs/sandbox.md shows the triggers of the code, row by row, and no other. */
import { expect, it } from 'vitest';
import { OURS, PUBLISHED } from '../../server/src/account-checks/sandbox/triggers.ts';
import { ENDING_TABLES } from '../../server/src/providers/sandbox/endings.ts';
import { PAYIN_WORDS } from '../../server/src/providers/sandbox/payin-stories.ts';
import { WORDS } from '../../server/src/providers/sandbox/stories.ts';
import { STATES } from '../../server/src/recipients/states.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

const document = readDocument('docs/sandbox.md');

it('the names in the document are those of the code', () => {
  const { header, rows } = tableUnder(document, 'By the name of the recipient');
  expect(header).toEqual(['Name', 'What the provider does']);
  expect(rows.slice(0, -1)).toEqual(WORDS.map(({ word, says }) => [`Sandbox ${word}`, says]));
  expect(rows.at(-1)?.[0]).toBe('Sandbox 416');
});

it('the endings in the document are those of the code', () => {
  expect(tableUnder(document, 'By the ending of the account')).toEqual({
    header: ['Type', 'For', 'Field', 'Ends in', 'Code'],
    rows: ENDING_TABLES.flatMap(({ payoutType, field, only, endings }) =>
      Object.entries(endings).map(([ending, code]) => [
        payoutType,
        only === undefined ? 'all' : `${only.field} ${only.value}`,
        field,
        ending,
        code,
      ]),
    ),
  });
});

it('the endings for account checks in the document are those of the code', () => {
  expect(tableUnder(document, 'Account checks')).toEqual({
    header: ['For', 'Ends in', 'Finds', 'Origin'],
    rows: [
      ...PUBLISHED.map(({ payoutType, mobileProvider, ending, finds }) => [
        [payoutType, mobileProvider].join(' ').trim(),
        ending,
        finds,
        'published',
      ]),
      ...OURS.map(({ kinds, ending, finds }) => [kinds.join(', '), ending, finds, 'ours']),
    ],
  });
});

it('the document tells how to bring about every state of a recipient', () => {
  const told = tableUnder(document, 'What to ask for')
    .rows.map(([see]) => see)
    .join(' ');
  const others = STATES.map(({ state }) => state).filter((state) => state !== 'initial');
  expect(others.filter((state) => !told.includes(state))).toEqual([]);
});

it('the payers in the document are those of the code', () => {
  const { header, rows } = tableUnder(document, 'Payers of collections');
  expect(header).toEqual(['Reference', 'What the payer does']);
  // A cell reads as plain text.
  const plain = PAYIN_WORDS.map(({ word, says }) => [`Sandbox ${word}`, says.replaceAll('`', '')]);
  expect(rows.slice(0, -1)).toEqual(plain);
});
