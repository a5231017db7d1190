/** The terms that an account has unless an operator says otherwise are those that docs/kyc.md tells. */
import { expect, it } from 'vitest';
import { defaultTerms } from '../../server/src/accounts/account.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

const { rows } = tableUnder(readDocument('docs/kyc.md'), 'Two terms of an account');

/** The value in whose row the place stands. */
function toldFor(term: string, where: string): string | undefined {
  const first = rows.findIndex(([name]) => name === term);
  const next = rows.findIndex(([name], index) => index > first && name !== '');
  return rows.slice(first, next === -1 ? undefined : next).find((row) => row.at(-1) === where)?.[1];
}

it.each([
  ['sandbox', 'in the sandbox'],
  ['live', 'in live mode'],
] as const)('%s', (mode, where) => {
  const { kyc, fullKyc } = defaultTerms(mode);
  expect([toldFor('kyc', where), toldFor('full_kyc', where)]).toEqual([kyc, fullKyc ? 'on' : 'off']);
});
