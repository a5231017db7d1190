import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUSINESS, checkedOf, NOW, PERSON, refusalsOf, storedSender } from '../../../test/support/senders.ts';
import { changesIdentity, checkSender } from './check.ts';
import { SENDER_FIELDS } from './fields.ts';

const current = storedSender();

describe('an update', () => {
  it('changes what is sent and nothing else', () => {
    const { details, ...rest } = checkedOf({ city: 'Lagos' }, { current });
    expect(details).toEqual({ ...current.details, city: 'Lagos' });
    expect(Object.keys(details)).toEqual(Object.keys(current.details));
    expect(rest).toEqual({ type: 'person', externalId: 'c-1', metadata: { keep: true }, documents: [] });
  });

  it('with nothing in it changes nothing', () => {
    expect(checkedOf({}, { current })).toMatchObject({ details: current.details, metadata: current.metadata });
  });

  it('replaces the metadata as a whole', () => {
    expect(checkedOf({ metadata: { new: 1 } }, { current }).metadata).toEqual({ new: 1 });
  });

  it('reads a national number with the country that is stored', () => {
    expect(checkedOf({ phone_number: '07400 123456' }, { current }).details['phone_number']).toBe('+447400123456');
  });

  it('takes away what is sent empty', () => {
    const withJob = storedSender({ occupation: 'engineer' });
    expect(checkedOf({ occupation: null }, { current: withJob }).details).not.toHaveProperty('occupation');
  });

  it('does not take away what is needed', () => {
    expect(refusalsOf({ email: '', first_name: null, ip: '' }, { current })).toEqual([
      'first_name: blank',
      'email: blank',
      'ip: blank',
    ]);
    expect(refusalsOf({ metadata: null, documents: null }, { current })).toEqual([
      'documents: blank',
      'metadata: blank',
    ]);
  });

  it('refuses a wrong value', () => {
    expect(refusalsOf({ email: 'nobody', country: 'UK' }, { current })).toEqual([
      'country: not_in_list',
      'email: invalid',
    ]);
  });

  it('is not refused for what was missing before', () => {
    const { email: _, ...without } = current.details;
    expect(refusalsOf({ city: 'Lagos' }, { current: { ...current, details: without } })).toEqual([]);
  });

  it('is not refused for a stored value that is sent again, whatever the rules are today', () => {
    const old = storedSender({ phone_number: '+15550001234' });
    expect(refusalsOf({ phone_number: '+15550001234' }, { current: old })).toEqual([]);
    expect(refusalsOf({ phone_number: '+15550001234' }, { current })).toEqual(['phone_number: invalid']);
  });

  it('to another type needs what that type needs', () => {
    expect(refusalsOf({ type: 'business' }, { current })).toEqual(['name: blank', 'trading_country: blank']);
    expect(checkedOf({ type: 'business', name: 'A', trading_country: 'GB' }, { current }).type).toBe('business');
  });

  it('to another legal entity needs what that needs', () => {
    const business = storedSender({ ...BUSINESS, type: undefined, documents: undefined, metadata: undefined });
    const refusals = refusalsOf(
      { legal_entity_type: 'financial_institution' },
      {
        current: { ...business, type: 'business' },
      },
    );
    expect(refusals).toEqual([
      'vat_registration_number: blank',
      'financial_regulator: blank',
      'regulatory_licence_number: blank',
    ]);
  });

  it('in WTR2 mode may take away one set as long as another is whole', () => {
    expect(refusalsOf({ birth_date: null }, { current, wtr2: true })).toEqual([]);
    expect(refusalsOf({ birth_date: null, street: null }, { current, wtr2: true })).toEqual(['street: blank']);
  });

  it('asks for no papers again', () => {
    expect(refusalsOf({ city: 'Lagos', documents: [] }, { current, kyc: 'documents' })).toEqual([]);
  });
});

describe('who the sender is', () => {
  const changes = (input: object) => changesIdentity(current, checkedOf(input, { current }));

  it.each([{ first_name: 'Grace' }, { birth_date: '1980-01-01' }, { country: 'KE' }, { middle_name: 'B' }])(
    'is changed by %j',
    (input) => {
      expect(changes(input)).toBe(true);
    },
  );

  it.each([{}, { city: 'Lagos' }, { phone_number: '+447400123456' }, { metadata: {} }, { first_name: 'Ada' }])(
    'is not changed by %j',
    (input) => {
      expect(changes(input)).toBe(false);
    },
  );
});

describe('any JSON at all', () => {
  const anyField = fc.constantFrom(...SENDER_FIELDS.map((field) => field.name));
  const good = fc.constantFrom<unknown>(...Object.values({ ...PERSON, ...BUSINESS }));
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), good);
  const sender = fc.oneof(fc.jsonValue(), fc.dictionary(anyField, value));
  const rules = fc.record({
    kyc: fc.constantFrom('waived' as const, 'review' as const, 'documents' as const),
    wtr2: fc.boolean(),
    now: fc.constant(NOW),
  });

  it('is either taken or refused with known fields, and never breaks the program', () => {
    const known = new Set(SENDER_FIELDS.map((field) => field.name));
    fc.assert(
      fc.property(sender, rules, fc.boolean(), (input, base, isUpdate) => {
        const checked = checkSender(input, isUpdate ? { ...base, current } : base);
        if (checked.ok) return true;
        return checked.refusals.length > 0 && checked.refusals.every(({ path }) => known.has(String(path[0] ?? 'id')));
      }),
    );
  });

  it('that was taken is taken again, unchanged, as an update of itself', () => {
    fc.assert(
      fc.property(fc.dictionary(anyField, value), rules, (input, base) => {
        const checked = checkSender({ ...PERSON, ...input, documents: [] }, { ...base, kyc: 'waived' });
        if (!checked.ok) return;
        const stored = { ...current, ...checked.value, documents: [] };
        const again = checkSender({ ...checked.value.details }, { ...base, current: stored });
        expect(again).toMatchObject({ ok: true, value: { details: checked.value.details } });
      }),
    );
  });
});
