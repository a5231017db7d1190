import { getCountries } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../test/support/markdown.ts';
import { GENDERS, IDENTIFICATION_TYPES, LEGAL_ENTITY_TYPES, NATURES_OF_BUSINESS } from './choices.ts';
import { COUNTRIES, isCountry } from './countries.ts';
import { DETAIL_FIELDS, SENDER_FIELDS, SETTABLE_FIELDS } from './fields.ts';
import { BUSINESS_SET, ENTITY_SETS, PERSON_NEEDS, PERSON_SET, WTR2_SETS } from './required.ts';

describe('the table of sender fields', () => {
  const names = SENDER_FIELDS.map((field) => field.name);

  it('names no field twice', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it('has every field that a rule asks for', () => {
    const needed = [
      ...PERSON_NEEDS,
      ...PERSON_SET,
      ...WTR2_SETS.flat(),
      ...BUSINESS_SET,
      ...Object.values(ENTITY_SETS),
    ];
    expect(needed.flat().filter((name) => !names.includes(name))).toEqual([]);
  });

  it('has the country field of every phone field', () => {
    const countries = DETAIL_FIELDS.flatMap(({ form }) => (form.kind === 'phone' ? [form.countryField] : []));
    const forms = new Map(SENDER_FIELDS.map(({ name, form }) => [name, form.kind]));
    expect(countries.map((name) => forms.get(name))).toEqual(countries.map(() => 'country'));
  });

  it('lets nobody set what the service gives', () => {
    for (const name of ['id', 'state', 'state_reason', 'providers', 'created_at', 'errors']) {
      expect(SETTABLE_FIELDS).not.toContain(name);
    }
  });
});

describe('the closed lists', () => {
  /** Corridors that ask for these fields offer the same values, or some of them. */
  const shared = (file: string) =>
    Object.keys(JSON.parse(readDocument(`server/corridors/shared/${file}.json`)).options);

  it.each<[string, string, readonly string[]]>([
    ['identification_type', 'identification-types', IDENTIFICATION_TYPES],
    ['gender', 'genders', GENDERS],
    ['legal_entity_type', 'legal-entity-types', LEGAL_ENTITY_TYPES],
    ['nature_of_business', 'nature-of-business', NATURES_OF_BUSINESS],
  ])('of %s has every value that corridors know', (_, file, values) => {
    expect(shared(file).filter((value) => !values.includes(value))).toEqual([]);
  });

  it('of countries has the 249 of the standard, and Kosovo', () => {
    expect(COUNTRIES).toHaveLength(250);
    expect(new Set(COUNTRIES).size).toBe(250);
    // Ascension and Tristan da Cunha have numbers of their own, but their codes are only reserved.
    expect(getCountries().filter((code) => !isCountry(code))).toEqual(['AC', 'TA']);
  });

  it.each(['gb', 'GBR', 'UK', 'XX', '', 5, null])('of countries does not have %j', (value) => {
    expect(isCountry(value)).toBe(false);
  });
});
