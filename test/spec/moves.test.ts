/**
 * Every row of the tables of transactions, recipients and payin methods is driven through HTTP by a test, or has a
 * reason why nothing reaches it. The tests themselves check that the rows which they name were stored.
 */
import { expect, it } from 'vitest';
import { COLLECTION_ROWS } from '../collections/collection-rows.ts';
import { PROVIDER_ROWS } from '../payouts/payout-rows.ts';
import { PEOPLE_ROWS, UNREACHED } from '../payouts/people-rows.ts';
import { tableRows } from '../support/moves-log.ts';

const driven = new Set<string>([...PROVIDER_ROWS, ...PEOPLE_ROWS, ...COLLECTION_ROWS].flatMap(({ rows }) => rows));

it('no row of the tables is forgotten', () => {
  expect(tableRows().filter((row) => !driven.has(row) && !(row in UNREACHED))).toEqual([]);
});

it('no row is driven that the tables do not have, nor one that nothing should reach', () => {
  const known = new Set<string>(tableRows());
  expect([...driven, ...Object.keys(UNREACHED)].filter((row) => !known.has(row))).toEqual([]);
  expect(Object.keys(UNREACHED).filter((row) => driven.has(row))).toEqual([]);
});
