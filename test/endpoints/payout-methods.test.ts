/** Payout methods that a caller keeps: keep, read, list, change, delete. Open points OP-129 to OP-131. */
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { OBI } from '../support/payout.ts';
import type { SignedCaller } from '../support/signed-caller.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();
const NOBODY = '01900000-0000-7000-8000-00000000dead';
const COMPANY = { name: 'Example Ltd', bank_account: '1234567890', bank_code: '058', bank_account_type: '20' };

function objectOf(body: unknown): Record<string, unknown> {
  return Object(Object(body).object);
}

async function keep(method: object = OBI, by: SignedCaller = caller): Promise<string> {
  const answer = await by.post('/v1/payout_methods', { payout_method: method });
  expect(answer.status, answer.text).toBe(200);
  return String(objectOf(answer.body)['id']);
}

async function idsIn(path: string, by: SignedCaller): Promise<unknown[]> {
  const { body } = await by.get(path);
  const list: unknown = Object(body).object;
  return Array.isArray(list) ? list.map(({ id }) => id) : [];
}

describe('a payout method that is kept', () => {
  it('comes back as it was sent, with the fields of its type', async () => {
    const answer = await caller.post('/v1/payout_methods', { payout_method: { ...OBI, metadata: { a: [1] } } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        object: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'NGN::Bank',
          details: OBI.details,
          metadata: { a: [1] },
          provider: null,
          fields: { bank_code: { type: 'select' } },
          state: 'enabled',
        },
      },
    });
    const { id } = objectOf(answer.body);
    expect((await caller.get(`/v1/payout_methods/${id}`)).body).toEqual(answer.body);
  });

  it('is that of a business when it has a name in place of first and last name', async () => {
    const id = await keep({ type: 'NGN::Bank', details: COMPANY });
    const { fields } = objectOf((await caller.get(`/v1/payout_methods/${id}`)).body);
    expect(Object.keys(Object(fields))).toContain('name');
    expect(Object.keys(Object(fields))).not.toContain('first_name');
  });

  it('is seen by its own account only', async () => {
    const id = await keep();
    const other = await app.newAccount();
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      expect((await other.caller.send(method, `/v1/payout_methods/${id}`, body)).status).toBe(404);
    }
    expect(await idsIn('/v1/payout_methods', other.caller)).toEqual([]);
  });

  it.each([
    ['no type', { details: {} }, { type: ['blank'] }],
    ['an unknown type', { type: 'NGN::Bonk', details: {} }, { type: ['not_in_list'] }],
    [
      'details that the type does not take',
      { type: 'NGN::Bank', details: { ...OBI.details, bank_code: '044', first_name: '' } },
      { 'details.first_name': ['blank'], 'details.bank_code': ['not_in_list'] },
    ],
    ['details that are no object', { type: 'NGN::Bank', details: 7 }, { details: ['invalid'] }],
    ['metadata that is no object', { ...OBI, metadata: 'x' }, { metadata: ['invalid'] }],
  ])('is refused with %s', async (_what, method, words) => {
    const answer = await caller.post('/v1/payout_methods', { payout_method: method });
    expect(answer.status).toBe(422);
    const errors = Object.entries(words).map(([field, codes]) => [field, codes.map((error) => ({ error }))]);
    expect(Object(answer.body).errors).toEqual(Object.fromEntries(errors));
  });

  it('carries the errors of its details by their own names, and all allowed values', async () => {
    const details = { ...OBI.details, bank_code: '044' };
    const answer = await caller.post('/v1/payout_methods', { payout_method: { type: 'NGN::Bank', details } });
    expect(answer.body).toMatchObject({
      object: {
        errors: { bank_code: [{ error: 'not_in_list' }] },
        fields: { bank_code: { options: { '058': expect.any(String) } } },
      },
    });
  });

  it('of a business carries the fields of a business when it is refused', async () => {
    const payout_method = { type: 'UGX::Bank', details: { name: 'Example Ltd' } };
    const { errors, fields } = objectOf((await caller.post('/v1/payout_methods', { payout_method })).body);
    expect(Object(errors)).toMatchObject({ registration_number: [{ error: 'blank' }] });
    expect(Object(fields)).toMatchObject({ registration_number: { validations: { presence: true } } });
    expect(Object(fields)).not.toHaveProperty('first_name');
  });

  it('is refused at a type that the account may not use', async () => {
    const held = await app.newAccount({ terms: { corridors: ['GHS::Bank'] } });
    const answer = await held.caller.post('/v1/payout_methods', { payout_method: OBI });
    expect(Object(answer.body).errors).toEqual({ type: [{ error: 'corridor_not_permitted' }] });
  });
});

describe('a change', () => {
  it('is the bare object, and touches only what is sent', async () => {
    const id = await keep({ ...OBI, metadata: { a: 1 } });
    const answer = await caller.send('PATCH', `/v1/payout_methods/${id}`, {
      details: { bank_code: '011', email: 'o@example.com' },
    });
    expect(objectOf(answer.body)).toMatchObject({
      type: 'NGN::Bank',
      details: { ...OBI.details, bank_code: '011', email: 'o@example.com' },
      metadata: { a: 1 },
    });
    const again = await caller.send('PATCH', `/v1/payout_methods/${id}`, {
      details: { email: null },
      metadata: { b: 2 },
    });
    expect(objectOf(again.body)).toMatchObject({ metadata: { b: 2 } });
    expect(objectOf(again.body)['details']).toEqual({ ...OBI.details, bank_code: '011' });
    expect((await caller.get(`/v1/payout_methods/${id}`)).body).toEqual(again.body);
  });

  it('may stand in the wrapper of a new one', async () => {
    const path = `/v1/payout_methods/${await keep()}`;
    const answer = await caller.send('PATCH', path, { payout_method: { details: { bank_code: '011' } } });
    expect(objectOf(answer.body)).toMatchObject({ details: { ...OBI.details, bank_code: '011' } });
    expect((await caller.get(path)).body).toEqual(answer.body);
    expect((await caller.send('PATCH', path, { payout_method: 7 })).status).toBe(422);
  });

  it.each([
    ['another type', { type: 'GHS::Bank' }, { type: [{ error: 'invalid' }] }],
    ['another type in the wrapper', { payout_method: { type: 'GHS::Bank' } }, { type: [{ error: 'invalid' }] }],
    [
      'a detail that is needed taken away',
      { details: { bank_code: null } },
      { 'details.bank_code': [{ error: 'blank' }] },
    ],
    [
      'a wrong detail',
      { details: { bank_account_type: '30' } },
      { 'details.bank_account_type': [{ error: 'not_in_list' }] },
    ],
  ])('is refused with %s, and nothing changes', async (_what, change, errors) => {
    const id = await keep();
    const answer = await caller.send('PATCH', `/v1/payout_methods/${id}`, change);
    expect(answer.status).toBe(422);
    expect(Object(answer.body).errors).toMatchObject(errors);
    expect(objectOf((await caller.get(`/v1/payout_methods/${id}`)).body)['details']).toEqual(OBI.details);
  });
});

it.each([
  ['of a person', OBI, 'first_name'],
  ['of a business', { type: 'NGN::Bank', details: COMPANY }, 'name'],
])('a change that is refused carries all allowed values, as one %s has them', async (_whose, method, name) => {
  const path = `/v1/payout_methods/${await keep(method)}`;
  const { fields } = objectOf((await caller.get(path)).body);
  expect(Object(fields)).toHaveProperty(name);
  const refused = await caller.send('PATCH', path, { details: { bank_code: '044' } });
  expect(refused).toMatchObject({
    status: 422,
    body: { object: { errors: { bank_code: [{ error: 'not_in_list' }] } } },
  });
  expect(objectOf(refused.body)['fields']).toEqual(fields);
});

describe('a payout method that was deleted', () => {
  it('is disabled, stays readable, and can be deleted again but not changed', async () => {
    const id = await keep();
    const path = `/v1/payout_methods/${id}`;
    for (const _time of [1, 2]) {
      expect(objectOf((await caller.send('DELETE', path)).body)).toMatchObject({ id, state: 'disabled' });
    }
    expect(objectOf((await caller.get(path)).body)).toMatchObject({ state: 'disabled' });
    const refused = await caller.send('PATCH', path, { metadata: {} });
    expect(refused).toMatchObject({ status: 422, body: { errors: { base: [{ error: 'disabled' }] } } });
  });

  it('was one of this account, or nothing is found', async () => {
    expect((await caller.send('DELETE', `/v1/payout_methods/${NOBODY}`)).status).toBe(404);
    expect((await caller.send('PATCH', `/v1/payout_methods/${NOBODY}`, {})).status).toBe(404);
  });
});

describe('the list', async () => {
  const { caller: lister } = await app.newAccount();
  const bank = await keep(OBI, lister);
  app.clock.advance(86_400_000);
  const balance = await keep({ type: 'USD::Balance', details: { reference: 'x' } }, lister);
  app.clock.advance(1);
  const gone = await keep(OBI, lister);
  await lister.send('DELETE', `/v1/payout_methods/${gone}`);
  const today = app.clock.now().toISOString().slice(0, 10);

  it.each([
    ['', [balance, bank]],
    ['?state=disabled', [gone]],
    ['?state=enabled&state=disabled', [gone, balance, bank]],
    ['?state[]=enabled&type[]=NGN%3A%3ABank', [bank]],
    ['?type=USD%3A%3ABalance&type=NGN%3A%3ABank', [balance, bank]],
    [`?created_at_from=${today}`, [balance]],
    ['?per=1&page=2', [bank]],
    [`?sender_id=${NOBODY}`, []],
  ])('with %s', async (query, ids) => {
    expect(await idsIn(`/v1/payout_methods${query}`, lister)).toEqual(ids);
  });

  it('tells how many there are', async () => {
    const { body } = await lister.get('/v1/payout_methods?per=1');
    expect(Object(body).meta).toMatchObject({ pagination: { total_count: 2, total_pages: 2, next_page: 2 } });
  });
});
