import { describe, expect, it } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { checkSender } from './check-sender.ts';
import type { RecipientType } from './corridor.ts';

const catalogue = loadCatalogue();

function faults(type: string, sender: object, senderType: RecipientType = 'person', recipient: object = {}): string[] {
  const corridor = catalogue.mustPayout(type);
  const checked = { type: 'person', details: {}, ...recipient } as const;
  return checkSender(corridor, checked, { type: senderType, details: { ...sender } }).map(
    ({ code, path }) => `${path.join('.')}: ${code}`,
  );
}

const PASSPORT = { identification_type: 'PP', identification_number: 'A123' };
const COMPANY = { registration_number: 'RC1', registration_date: '2020-01-01', street: '1 High Street' };

describe('what a corridor asks of the sender', () => {
  it.each([
    ['NGN::Bank', 'nothing', {}, 'person', []],
    ['MAD::Cash', 'identification', {}, 'person', ['identification_type: blank', 'identification_number: blank']],
    ['MAD::Cash', 'a document that it takes', PASSPORT, 'person', []],
    [
      'MAD::Cash',
      'no driving licence',
      { ...PASSPORT, identification_type: 'DL' },
      'person',
      ['identification_type: not_in_list'],
    ],
    [
      'XOF::Cash',
      'no other document',
      { ...PASSPORT, identification_type: 'OT' },
      'person',
      ['identification_type: not_in_list'],
    ],
    [
      'XOF::Cash',
      'a document type in words',
      { ...PASSPORT, identification_type: 1 },
      'person',
      ['identification_type: not_in_list'],
    ],
    [
      'KES::Mobile',
      'the source of funds',
      { ...PASSPORT, country: 'GB', birth_date: '1980-01-01' },
      'person',
      ['source_of_funds: blank'],
    ],
    ['EGP::Bank', 'papers of a person', { ...PASSPORT, street: 'x' }, 'person', ['birth_date: blank']],
    ['EGP::Bank', 'papers of a company', COMPANY, 'business', []],
    [
      'EGP::Bank',
      'all papers of a company',
      { ...COMPANY, registration_date: '' },
      'business',
      ['registration_date: blank'],
    ],
    ['ZMW::Bank', 'nothing that is only announced', {}, 'person', []],
  ] as const)('%s: %s', (type, _what, sender, senderType, expected) => {
    expect(faults(type, sender, senderType)).toEqual(expected);
  });

  it('may depend on the country of the recipient', () => {
    expect(faults('XOF::Mobile', {}, 'person', { details: { country: 'TG' } })).toEqual(['phone_number: blank']);
    expect(faults('XOF::Mobile', {}, 'person', { details: { country: 'SN' } })).toEqual([]);
    expect(faults('USD::Bank', {}, 'person', { details: { country: 'NG' } })).toEqual(['birth_date: blank']);
    expect(faults('USD::Bank', {}, 'person', { details: { country: 'US' } })).toEqual([]);
  });

  it('may leave companies out: only persons pay a business in Egypt', () => {
    const business = { type: 'business' };
    expect(faults('EGP::Bank', COMPANY, 'business', business)).toEqual(['type: not_in_list']);
    expect(faults('EGP::Bank', { ...PASSPORT, street: 'x', birth_date: '1980-01-01' }, 'person', business)).toEqual([]);
    expect(faults('EGP::Bank', COMPANY, 'business')).toEqual([]);
  });

  it('is listed with the requirements that are only announced', () => {
    const announced = catalogue.mustPayout('ZMW::Bank').senderRequirements;
    expect(announced.map(({ field, enforced }) => [field, enforced])).toContainEqual(['registration_number', false]);
    expect(announced).toHaveLength(7);
  });
});
