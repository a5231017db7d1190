import { expect, it } from 'vitest';
import { CommitUnknown, sqlState } from './database.ts';

it.each([
  ['a refused statement', Object.assign(new Error(), { code: '23505' }), '23505'],
  ['a deadlock', { code: '40P01' }, '40P01'],
  ['a fault of the network', Object.assign(new Error(), { code: 'ECONNRESET' }), undefined],
  ['a code that is a number', { code: 23505 }, undefined],
  ['a lower-case code', { code: '40p01' }, undefined],
  ['an error without a code', new CommitUnknown('lost'), undefined],
  ['a text', '23505', undefined],
  ['nothing', null, undefined],
])('the SQLSTATE of %s is read', (_, fault, state) => {
  expect(sqlState(fault)).toBe(state);
});
