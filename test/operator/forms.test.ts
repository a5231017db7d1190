/**
 * Requests of a wrong form: operators hear field by field what to write, and never a pattern or a word of the
 * validator.
 */
import { expect, it } from 'vitest';
import { at, startOperatorService } from './support.ts';

const { call } = await startOperatorService();
const ACCOUNT = '/operator/accounts/01999999-0000-7000-8000-000000000000';

it.each([
  ['POST', '/operator/accounts', {}, ['name: is missing']],
  ['POST', '/operator/accounts', [], ['must be an object']],
  [
    'POST',
    '/operator/accounts',
    { name: 5, wtr2: 'yes', kyc: 'none', typo: 1 },
    [
      'typo: is not a field of this request',
      'name: must be text',
      'kyc: must be one of waived, review, documents',
      'wtr2: must be `true` or `false`',
    ],
  ],
  ['POST', '/operator/accounts', { name: 'x'.repeat(201) }, ['name: must have at most 200 characters']],
  [
    'POST',
    '/operator/accounts',
    { name: '' },
    ['name: must not be empty', 'name: must have a visible character, and no control characters'],
  ],
  ['PATCH', ACCOUNT, {}, ['the request says nothing']],
  ['PATCH', ACCOUNT, { corridors: ['NGN Bank'] }, ['corridors.0: must be a type such as `NGN::Bank`']],
  ['POST', `${ACCOUNT}/credits`, { currency: 'USD', amount: true }, ['amount: must be text or a number']],
  [
    'POST',
    `${ACCOUNT}/settlements`,
    { currency: 'NGN', amount: 1, reference: ' S-1' },
    ['reference: must be text of at most 200 characters, without blanks at its ends or control characters'],
  ],
  ['GET', '/operator/attention?limit=0', undefined, ['limit: must be a whole number from 1 to 500, as text']],
  ['GET', '/operator/attention?after=x', undefined, ['after: must be the `next` of the page before']],
  [
    'POST',
    '/operator/hold-rules',
    { account_id: 'all', kind: 'count', transactions: 0, countries: [] },
    ['account_id: must be a UUID or `null`', 'transactions: must be 1 or more', 'countries: must have something in it'],
  ],
  [
    'POST',
    `${ACCOUNT}/redeliveries`,
    {},
    ['the request fits none of its forms', 'event_id: is missing', 'from: is missing', 'to: is missing'],
  ],
  [
    'POST',
    `${ACCOUNT}/redeliveries`,
    { from: 'yesterday', to: '2026-11-16T09:00:00Z' },
    ['from: must be a time such as `2026-11-16T09:00:00Z`'],
  ],
] as const)('%s %s with %j is told what to write', async (method, path, body, details) => {
  const answer = await call(method, path, body);
  expect(answer).toMatchObject({ status: 422, body: { error: 'invalid' } });
  const told = at(answer.body, 'details');
  expect(Array.isArray(told) && told.toSorted()).toEqual(details.toSorted());
});
