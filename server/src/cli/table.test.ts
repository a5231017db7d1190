/** Tables for people. */
import { expect, it } from 'vitest';
import { formatFields, formatTable } from './table.ts';

interface Row {
  readonly name: string;
  readonly amount: string;
}

const columns = [
  { title: 'Name', cell: (row: Row) => row.name },
  { title: 'Amount', cell: (row: Row) => row.amount, isNumber: true },
  { title: 'Note', cell: () => '' },
];

it('columns are as wide as their widest cell, and numbers stand on the right', () => {
  const rows = [
    { name: 'Zoë', amount: '5' },
    { name: 'A longer name', amount: '1000000' },
  ];
  expect(formatTable(columns, rows)).toBe(
    ['Name            Amount  Note', 'Zoë                  5', 'A longer name  1000000'].join('\n'),
  );
});

it('a table without rows is its titles', () => {
  expect(formatTable(columns, [])).toBe('Name  Amount  Note');
});

it('fields are one line each', () => {
  expect(
    formatFields([
      ['Key', 'x'],
      ['Secret', ''],
    ]),
  ).toBe('Key     x\nSecret');
});
