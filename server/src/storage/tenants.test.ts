import { expect, it } from 'vitest';
import { accountIdsOf } from './tenants.ts';

it.each([
  ['no rows', [], []],
  ['one tenant', ['acme', 'acme'], ['acme']],
  ['several tenants', ['bolt', 'acme', 'bolt'], ['bolt', 'acme']],
])('a statement names each account of %s once', (_, accounts, named) => {
  expect(accountIdsOf(accounts.map((accountId) => ({ accountId })))).toEqual(named);
});
