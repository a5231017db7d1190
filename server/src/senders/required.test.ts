import { describe, expect, it } from 'vitest';
import { BUSINESS_SET, ENTITY_SETS, missingFields, PERSON_NEEDS, PERSON_SET, WTR2_SETS } from './required.ts';

const having = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'x']));
const missing = (needs: Parameters<typeof missingFields>[0]) => [...missingFields(needs)];

describe('a person', () => {
  const all = [...PERSON_NEEDS, ...PERSON_SET, 'ip'];

  it('needs names, country, phone, e-mail, address, birth date and ip', () => {
    expect(missing({ type: 'person', details: {}, wtr2: false })).toEqual(all);
    expect(missing({ type: 'person', details: having(...all), wtr2: false })).toEqual([]);
  });

  it.each(all)('is refused without %s', (name) => {
    const details = having(...all.filter((other) => other !== name));
    expect(missing({ type: 'person', details, wtr2: false })).toEqual([name]);
  });

  it('needs no identification', () => {
    expect(all).not.toContain('identification_number');
  });
});

describe('a person of an account in WTR2 mode', () => {
  const base = [...PERSON_NEEDS, 'ip'];

  it.each(WTR2_SETS.map((set) => [set.join(' and '), set] as const))('is complete with %s', (_, set) => {
    expect(missing({ type: 'person', details: having(...base, ...set), wtr2: true })).toEqual([]);
  });

  it.each([
    ['nothing of any set', [], ['birth_date']],
    ['a number without its type', ['identification_number'], ['identification_type']],
    ['a street and a city', ['street', 'city'], ['postal_code']],
    ['a phone number and an e-mail address', ['phone_number', 'email'], ['birth_date']],
  ])('with %s is asked for what is nearest', (_, has, lacks) => {
    expect(missing({ type: 'person', details: having(...base, ...has), wtr2: true })).toEqual(lacks);
  });

  it.each([...PERSON_NEEDS, 'ip'])('still needs %s', (name) => {
    const details = having(...base.filter((other) => other !== name), 'birth_date');
    expect(missing({ type: 'person', details, wtr2: true })).toEqual([name]);
  });
});

describe('a business', () => {
  const all = [...BUSINESS_SET, 'ip'];

  it.each([true, false])('needs its name, countries, address and e-mail; WTR2 mode %s changes nothing', (wtr2) => {
    expect(missing({ type: 'business', details: {}, wtr2 })).toEqual(all);
    expect(missing({ type: 'business', details: having(...all), wtr2 })).toEqual([]);
  });

  it.each(Object.entries(ENTITY_SETS))('that is a %s needs its licence data', (entity, set) => {
    const details = { ...having(...all), legal_entity_type: entity };
    expect(missing({ type: 'business', details, wtr2: false })).toEqual(set);
    expect(missing({ type: 'business', details: { ...details, ...having(...set) }, wtr2: false })).toEqual([]);
  });

  it('of another kind needs no more', () => {
    const details = { ...having(...all), legal_entity_type: 'ngo' };
    expect(missing({ type: 'business', details, wtr2: false })).toEqual([]);
  });

  it('counts licence data only for businesses', () => {
    const details = { ...having(...PERSON_NEEDS, ...PERSON_SET, 'ip'), legal_entity_type: 'mto' };
    expect(missing({ type: 'person', details, wtr2: false })).toEqual([]);
  });
});
