import { describe, expect, it } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { checkDetails } from './check-details.ts';
import type { RecipientType } from './corridor.ts';
import { exampleFor } from './example.ts';

const catalogue = loadCatalogue();

/** The faults of the corridor's example with these changes, written `field: code`. */
function faults(type: string, changes: object, way = 0, recipient: RecipientType = 'person'): string[] {
  const corridor = catalogue.mustPayout(type);
  const details = { ...exampleFor(corridor, recipient, { way }), ...changes };
  return checkDetails(corridor, recipient, details).refusals.map(({ code, path }) => `${path.join('.')}: ${code}`);
}

describe('fields of which one group is enough', () => {
  const none = { bank_account: null, sort_code: null, iban: null };
  it.each([
    ['GBP::Bank', 'an account with its sort code is enough', 0, {}, []],
    ['GBP::Bank', 'an IBAN is enough', 1, {}, []],
    ['GBP::Bank', 'an IBAN may have a BIC', 1, { bic: 'NWBKGB2L' }, []],
    ['GBP::Bank', 'neither is told by the first field of each', 0, none, ['bank_account: blank', 'iban: blank']],
    ['GBP::Bank', 'an account needs its sort code', 0, { sort_code: '' }, ['sort_code: blank']],
    ['GBP::Bank', 'a sort code needs its account', 0, { bank_account: '' }, ['bank_account: blank']],
    ['GBP::Bank', 'a BIC alone needs an IBAN', 0, { ...none, bic: 'NWBKGB2L' }, ['iban: blank']],
    ['GBP::Bank', 'a BIC does not go with a sort code', 0, { bic: 'NWBKGB2L' }, ['bic: invalid']],
    ['GBP::Bank', 'both are one too many', 0, { iban: 'GB29NWBK60161331926819' }, ['iban: invalid']],
    ['GBP::Bank', 'a complete one beats a part of another', 1, { sort_code: '601613' }, ['sort_code: invalid']],
    ['BRL::Bank', 'a PIX key is enough', 0, {}, []],
    ['BRL::Bank', 'bank, branch, account and its type are enough', 1, {}, []],
    ['BRL::Bank', 'a PIX key needs its type', 0, { pix_key_type: null }, ['pix_key_type: blank']],
    ['BRL::Bank', 'a transfer needs its branch', 1, { branch_code: null }, ['branch_code: blank']],
    ['BRL::Bank', 'both are one too many', 0, { bank_code: '001' }, ['bank_code: invalid']],
    ['ZAR::Bank', 'a bank is enough', 0, {}, []],
    ['ZAR::Bank', 'a branch is enough', 1, {}, []],
    ['ZAR::Bank', 'both may be given', 0, { branch_code: '250655' }, []],
    ['ZAR::Bank', 'one of them is needed', 0, { bank_code: null }, ['bank_code: blank', 'branch_code: blank']],
  ] as const)('%s: %s', (type, _what, way, changes, expected) => {
    expect(faults(type, changes, way)).toEqual(expected);
  });
});

describe('options that another field narrows down', () => {
  const ci = { country: 'CI', phone_number: '+2250712345600' };
  it.each([
    ['XOF::Mobile', 'orange is in Senegal', { mobile_provider: 'orange' }, []],
    ['XOF::Mobile', 'mtn is not in Senegal', { mobile_provider: 'mtn' }, ['mobile_provider: not_in_list']],
    ['XOF::Mobile', 'mtn is in Ivory Coast', { ...ci, mobile_provider: 'mtn' }, []],
    ['XOF::Mobile', 'free is not in Ivory Coast', { ...ci, mobile_provider: 'free' }, ['mobile_provider: not_in_list']],
    [
      'XOF::Mobile',
      'any of them while the country is unknown',
      { mobile_provider: 'mtn', country: '' },
      ['country: blank'],
    ],
    ['XAF::Mobile', 'airtel is not in Cameroon', { mobile_provider: 'airtel' }, ['mobile_provider: not_in_list']],
    ['BWP::Bank', 'a branch of the bank', { bank_name: 'Stanbic Bank', branch_code: '065167' }, []],
    [
      'BWP::Bank',
      'a branch of another bank',
      { bank_name: 'Stanbic Bank', branch_code: '550567' },
      ['branch_code: not_in_list'],
    ],
  ] as const)('%s: %s', (type, _what, changes, expected) => {
    expect(faults(type, changes)).toEqual(expected);
  });
});

describe('values that have to agree with another field', () => {
  it.each([
    ['XOF::Bank', 'the bank is the start of the account', { bank_code: 'SN012' }, []],
    ['XOF::Bank', 'the bank differs from the account', { bank_code: 'SN011' }, ['bank_code: invalid']],
    [
      'XOF::Bank',
      'the account may be written with spaces',
      { iban: 'SN012 01001 123456789012 12', bank_code: 'SN012' },
      [],
    ],
    ['XOF::Bank', 'the account has a wrong length', { iban: 'SN012010011234567890121' }, ['iban: invalid']],
    ['XAF::Bank', 'the bank stands within the IBAN', { bank_code: '10001' }, []],
    ['XAF::Bank', 'the bank differs from the IBAN', { bank_code: '10002' }, ['bank_code: invalid']],
    ['INR::Bank', 'the IFSC of the bank', { bank_name: 'Royal Bank of Scotland', ifsc_code: 'ABNA0123456' }, []],
    ['INR::Bank', 'the IFSC of another bank', { bank_name: 'Royal Bank of Scotland' }, ['ifsc_code: invalid']],
    ['BRL::Bank', 'an e-mail address as PIX key', { pix_key_type: 'email', pix_key_value: 'ada@example.com' }, []],
    ['BRL::Bank', 'a CPF where an e-mail address should be', { pix_key_type: 'email' }, ['pix_key_value: invalid']],
    ['BRL::Bank', 'a phone number as PIX key', { pix_key_type: 'phone', pix_key_value: '+5511961234500' }, []],
    ['BRL::Bank', 'a CPF with a wrong check digit', { pix_key_value: '01234567891' }, ['pix_key_value: invalid']],
  ] as const)('%s: %s', (type, _what, changes, expected) => {
    expect(faults(type, changes)).toEqual(expected);
  });
});

describe('fields by country', () => {
  const us = { country: 'US', street: null, iban: null, transfer_reason: null };
  const usAccount = { bank_account: '1', bank_account_type: 20, bank_name: 'B', swift_code: 'CHASUS33' };
  it.each([
    ['an account in Egypt has an Egyptian IBAN', {}, []],
    ['an account in Egypt has no other IBAN', { iban: 'DE89370400440532013000' }, ['iban: invalid']],
    [
      'an account in the United States has other fields',
      us,
      ['bank_account', 'bank_account_type', 'bank_name', 'routing_number', 'swift_code'].map(
        (name) => `${name}: blank`,
      ),
    ],
    ['a routing number with its check digit', { ...us, ...usAccount, routing_number: '021000021' }, []],
    [
      'a routing number that is mistyped',
      { ...us, ...usAccount, routing_number: '021000022' },
      ['routing_number: invalid'],
    ],
    [
      'the country decides which banks there are',
      { country: 'NG', bank_account: '1', bank_code: '0027' },
      ['bank_code: not_in_list'],
    ],
    ['an Egyptian bank is optional, a Nigerian one is not', { country: 'NG', bank_account: '1' }, ['bank_code: blank']],
    ['without a country only the country is asked for', { country: 'PE', iban: 'x' }, ['country: not_in_list']],
  ])('USD::Bank: %s', (_what, changes, expected) => {
    expect(faults('USD::Bank', changes)).toEqual(expected);
  });

  it('XOF::Cash takes Senegal when no country is given', () => {
    expect(faults('XOF::Cash', {})).toEqual([]);
    expect(faults('XOF::Cash', { phone_number: '07 12 34 56 00' })).toEqual(['phone_number: invalid']);
    expect(faults('XOF::Cash', { phone_number: '07 12 34 56 00', country: 'CI' })).toEqual([]);
    expect(catalogue.payout('XOF::Cash')?.countryOf({})).toBe('SN');
  });
});

describe('fields by type of recipient', () => {
  it.each([
    ['NGN::Bank', 'business', { name: '' }, ['name: blank']],
    ['NGN::Bank', 'business', { first_name: null, last_name: null }, []],
    ['NGN::Bank', 'person', { first_name: null, last_name: null }, ['first_name: blank', 'last_name: blank']],
    ['UGX::Bank', 'business', { registration_number: null }, ['registration_number: blank']],
    ['UGX::Bank', 'business', { identity_card_id: null }, []],
    ['UGX::Bank', 'person', { identity_card_id: null }, ['identity_card_id: blank']],
    ['ZAR::Bank', 'business', { nature_of_business: 'magic' }, ['nature_of_business: not_in_list']],
  ] as const)('%s, %s with %o', (type, recipient, changes, expected) => {
    expect(faults(type, changes, 0, recipient)).toEqual(expected);
  });
});
