/** Limits, currencies and code classes in docs/interface.md are those of the code, cell by cell. */
import { describe, expect, it } from 'vitest';
import { LIMITS, SOFT_LIMITS } from '../../server/src/kernel/limits.ts';
import { CURRENCIES } from '../../server/src/money/currencies.ts';
import * as payins from '../../server/src/payins/error-codes.ts';
import * as recipients from '../../server/src/recipients/error-codes.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

const DOCUMENT = readDocument('docs/interface.md');

/** The specification's currencies stand first in the code; those that only the corridors add follow. */
const SPECIFIED_CURRENCIES = 18;

describe('the limits in the document are those of the code', () => {
  it('calls per day', () => {
    expect(tableUnder(DOCUMENT, 'Soft limits')).toEqual({
      header: ['Endpoint', 'Calls per day', 'Note'],
      rows: SOFT_LIMITS.map((row) => [row.endpoint, String(row.callsPerDay), row.note]),
    });
  });

  it('constants', () => {
    expect(tableUnder(DOCUMENT, 'Constants')).toEqual({
      header: ['Limit', 'Value', 'Unit', 'Meaning'],
      rows: LIMITS.map((row) => [row.limit, String(row.value), row.unit, row.meaning]),
    });
  });
});

describe('the currencies in the document are those of the code', () => {
  /** The table has one row for currencies that are alike; the code has one row for each. */
  const rowsFor = (currencies: readonly (typeof CURRENCIES)[number][]) => {
    const alike = new Map<string, string[]>();
    for (const { code, decimals, rounding } of currencies) {
      const key = `${decimals} ${rounding}`;
      alike.set(key, [...(alike.get(key) ?? []), code]);
    }
    return [...alike].map(([key, codes]) => [...key.split(' '), codes.join(', ')]);
  };

  it.each([
    ['Currencies', CURRENCIES.slice(0, SPECIFIED_CURRENCIES)],
    ['Further currencies', CURRENCIES.slice(SPECIFIED_CURRENCIES)],
  ])('%s', (heading, currencies) => {
    expect(tableUnder(DOCUMENT, heading)).toEqual({
      header: ['Decimals', 'Rounding', 'Currencies'],
      rows: rowsFor(currencies),
    });
  });
});

describe('the code classes in the document are those of the code', () => {
  it('of recipients', () => {
    expect(tableUnder(DOCUMENT, 'Recipient code classes')).toEqual({
      header: ['Class', 'Category', 'Meaning'],
      rows: recipients.CODE_CLASSES.map((row) => [row.class, row.category, row.meaning]),
    });
  });

  it('of collections', () => {
    const cells = (openPoint: string) => (row: { class: string; category: string; meaning: string }) => [
      row.class,
      row.category,
      row.meaning,
      openPoint,
    ];
    expect(tableUnder(DOCUMENT, 'Collection code classes')).toEqual({
      header: ['Class', 'Category', 'Meaning', 'Open point'],
      rows: [...payins.CODE_CLASSES.map(cells('')), ...payins.FURTHER_CODE_CLASSES.map(cells('OP-24'))],
    });
  });
});
