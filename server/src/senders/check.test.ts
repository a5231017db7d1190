import { describe, expect, it } from 'vitest';
import { BUSINESS, checkedOf, PERSON, refusalsOf, storedSender } from '../../../test/support/senders.ts';

describe('a new person', () => {
  it('with all needed details is taken, and kept in the order of the fields', () => {
    const shuffled = Object.fromEntries(Object.entries(PERSON).reverse());
    const { details } = checkedOf(shuffled);
    expect(Object.keys(details)).toEqual([
      'first_name',
      'last_name',
      'phone_country',
      'phone_number',
      'country',
      'city',
      'street',
      'postal_code',
      'address_description',
      'birth_date',
      'email',
      'ip',
    ]);
  });

  it('is a person when the type is left out', () => {
    expect(checkedOf({ ...PERSON, type: undefined }).type).toBe('person');
  });

  it('keeps the phone number as E.164, also when it came as a national number with its country', () => {
    expect(checkedOf({ ...PERSON, phone_country: 'GB', phone_number: '07911 123456' }).details).toMatchObject({
      phone_country: 'GB',
      phone_number: '+447911123456',
    });
    expect(checkedOf({ ...PERSON, phone_country: undefined, phone_number: '+44 7911 123456' }).details).toMatchObject({
      phone_number: '+447911123456',
    });
  });

  it('keeps a day that came as a moment as a day', () => {
    expect(checkedOf({ ...PERSON, birth_date: '1974-12-24T00:00:00.000Z' }).details['birth_date']).toBe('1974-12-24');
  });

  it('may have an empty address description', () => {
    expect(checkedOf({ ...PERSON, address_description: '' }).details['address_description']).toBe('');
  });

  it('does not get what only the service gives, nor what is unknown', () => {
    const { details } = checkedOf({ ...PERSON, state: 'approved', created_at: 'x', favourite_colour: 'red' });
    expect(details).not.toHaveProperty('state');
    expect(details).not.toHaveProperty('created_at');
    expect(details).not.toHaveProperty('favourite_colour');
  });

  it('keeps politically exposed people without what the service would give them', () => {
    const person = { name: 'A', position: 'B', started_date: '1981-01-20T00:00:00.000Z', ended_date: '1989-01-20' };
    const { details } = checkedOf({ ...PERSON, politically_exposed_people: [{ ...person, id: 5, sender_id: 'x' }] });
    expect(details['politically_exposed_people']).toEqual([{ ...person, ended_date: '1989-01-20T00:00:00.000Z' }]);
  });

  it('leaves out what was sent empty', () => {
    const { details } = checkedOf({ ...PERSON, occupation: '', nationality: null, politically_exposed_people: [] });
    expect(details).not.toHaveProperty('occupation');
    expect(details).not.toHaveProperty('nationality');
    expect(details).not.toHaveProperty('politically_exposed_people');
  });

  it.each<[string, unknown, string]>([
    ['type', 'robot', 'not_in_list'],
    ['type', 5, 'invalid'],
    ['first_name', '', 'blank'],
    ['first_name', '   ', 'blank'],
    ['first_name', 5, 'invalid'],
    ['first_name', 'x'.repeat(256), 'too_large'],
    ['last_name', 'a\u0000b', 'invalid'],
    ['phone_country', 'gb', 'not_in_list'],
    ['phone_number', '12', 'invalid'],
    ['phone_number', '+44 7911 123456 ext. 5', 'invalid'],
    ['phone_number', '+449999999999999', 'invalid'],
    ['country', 'UK', 'not_in_list'],
    ['country', ['GB'], 'invalid'],
    ['postal_code', 12345, 'invalid'],
    ['address_description', 'x'.repeat(2001), 'too_large'],
    ['birth_date', '1974-02-30', 'invalid'],
    ['birth_date', '2026-03-01', 'invalid'],
    ['birth_date', '2030-01-01', 'invalid'],
    ['identification_number', '123', 'too_short'],
    ['identification_type', 'XX', 'not_in_list'],
    ['email', 'nobody', 'invalid'],
    ['external_id', 5, 'invalid'],
    ['external_id', 'x'.repeat(256), 'too_large'],
    ['documents', undefined, 'blank'],
    ['documents', null, 'blank'],
    ['documents', {}, 'invalid'],
    ['documents', Array.from({ length: 21 }, () => ({})), 'too_large'],
    ['ip', undefined, 'blank'],
    ['ip', '256.1.1.1', 'invalid'],
    ['ip', 'fe80::1%eth0', 'invalid'],
    ['ip', 'localhost', 'invalid'],
    ['metadata', undefined, 'blank'],
    ['metadata', ['a'], 'invalid'],
    ['gender', 'X', 'not_in_list'],
    ['gender', [], 'invalid'],
    ['identification_number', [], 'invalid'],
    ['registration_date', 'never', 'invalid'],
    ['country_of_birth', 'Kenya', 'not_in_list'],
    ['list_of_countries_of_operation', 'GB', 'invalid'],
    ['politically_exposed_people', Array.from({ length: 4 }, () => ({ name: 'A' })), 'too_large'],
  ])('is refused for %s being %j: %s', (name, value, code) => {
    expect(refusalsOf({ ...PERSON, [name]: value })).toEqual([`${name}: ${code}`]);
  });

  it.each<[string, unknown]>([
    ['birth_date', '2026-02-28'],
    ['identification_number', '1234'],
    ['ip', '127.0.0.1'],
    ['ip', '2001:db8::1'],
    ['phone_number', '+2348011111111'],
    ['metadata', {}],
    ['documents', []],
  ])('is taken with %s being %j', (name, value) => {
    expect(refusalsOf({ ...PERSON, [name]: value })).toEqual([]);
  });

  it('is refused inside its lists by place', () => {
    expect(
      refusalsOf({
        ...PERSON,
        documents: [{ upload: 'https://example.test/a.png', upload_file_name: 'a' }, 5, { id: 'none' }, { id: 5 }],
        list_of_countries_of_operation: ['GB', 'UK'],
        politically_exposed_people: [{ name: 'A', started_date: 'once' }, {}, 'B'],
      }),
    ).toEqual([
      'documents.0.upload: invalid',
      'documents.1: invalid',
      'documents.2.id: not_found',
      'documents.3.id: invalid',
      'politically_exposed_people.0.started_date: invalid',
      'politically_exposed_people.1.name: blank',
      'politically_exposed_people.2: invalid',
      'list_of_countries_of_operation.1: not_in_list',
    ]);
  });

  it('that is empty is told everything at once, in the order of the fields', () => {
    expect(refusalsOf({})).toEqual(
      [
        ...['first_name', 'last_name', 'phone_number', 'country', 'city', 'street', 'postal_code', 'birth_date'],
        ...['email', 'documents', 'ip', 'metadata'],
      ].map((name) => `${name}: blank`),
    );
  });

  it.each([
    [undefined, ': blank'],
    [null, ': blank'],
    ['Ada', ': invalid'],
    [[], ': invalid'],
    [5, ': invalid'],
  ])('cannot be %j', (input, refusal) => {
    expect(refusalsOf(input)).toEqual([refusal]);
  });

  it('needs papers where the account is checked by papers, and nowhere else', () => {
    expect(refusalsOf(PERSON, { kyc: 'documents' })).toEqual(['documents: blank']);
    expect(refusalsOf(PERSON, { kyc: 'review' })).toEqual([]);
    expect(refusalsOf({ ...PERSON, documents: [{ id: storedSender().senderId }] }, { kyc: 'documents' })).toEqual([]);
  });

  it('needs only one set of details in WTR2 mode, and all of them without', () => {
    const { phone_number: _, email: __, street: ___, ...rest } = PERSON;
    expect(refusalsOf(rest, { wtr2: true })).toEqual([]);
    expect(refusalsOf(rest)).toEqual(['phone_number: blank', 'street: blank', 'email: blank']);
  });

  it('is told of a wrong detail once, not also that it is missing', () => {
    const { street: _, ...rest } = PERSON;
    expect(refusalsOf({ ...rest, birth_date: 'long ago' }, { wtr2: true })).toEqual(['birth_date: invalid']);
  });
});

describe('a new business', () => {
  it('with its needed details is taken, without those of a person', () => {
    expect(checkedOf(BUSINESS)).toMatchObject({ type: 'business', details: { name: 'Example Ltd' } });
  });

  it('is told what it lacks', () => {
    const { name: _, trading_country: __, ...rest } = BUSINESS;
    expect(refusalsOf(rest)).toEqual(['name: blank', 'trading_country: blank']);
  });

  it('that transfers money for others needs its licence data', () => {
    const refusals = refusalsOf({ ...BUSINESS, legal_entity_type: 'mto', financial_regulator: 'FCA' });
    expect(refusals).toHaveLength(12);
    expect(refusals[0]).toBe('vat_registration_number: blank');
    expect(refusals).not.toContain('financial_regulator: blank');
  });

  it('keeps its further numbers as E.164 too', () => {
    const phones = { company_office_number: '020 7946 0000', company_office_number_country: 'GB' };
    expect(checkedOf({ ...BUSINESS, ...phones }).details['company_office_number']).toBe('+442079460000');
  });
});
