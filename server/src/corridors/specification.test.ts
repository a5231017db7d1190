/** The types whose fields the specification lists: exactly these, in its order. Spec: Payout method, Payin method. */
import { describe, expect, it } from 'vitest';
import { present } from '../kernel/assert.ts';
import { CURRENCIES } from '../money/currencies.ts';
import { loadCatalogue } from './catalogue.ts';
import { checkDetails, checkInDetails } from './check-details.ts';

// biome-ignore format: the list as the specification writes it
const NGN_BANK_CODES = [
  '565', '063', '050', 'E30', '214', '070', '011', '326', '058', '030', '301', '082', '611', '014', '993', '305', 'B54',
  '076', '101', '039', '232', '032', '033', '215', '566', '035', '057',
];

const catalogue = loadCatalogue();
const nigeria = catalogue.mustPayout('NGN::Bank');

describe('NGN::Bank', () => {
  it('has exactly the fields of the specification', () => {
    const fields = nigeria.fields('person');
    const { first_name: firstName, bank_account_type: accountType, email } = fields;
    expect(Object.keys(fields)).toEqual([
      'first_name',
      'last_name',
      'bank_account',
      'bank_code',
      'bank_account_type',
      'email',
    ]);
    const required = Object.keys(fields).filter((name) => fields[name]?.validations.presence === true);
    expect(required).toEqual(['first_name', 'last_name', 'bank_account', 'bank_code', 'bank_account_type']);
    expect(firstName).toEqual({ type: 'input', validations: { presence: true } });
    expect(accountType).toEqual({
      type: 'select',
      options: { 10: 'Savings', 20: 'Current' },
      validations: { presence: true, inclusion: { in: { 10: 'Savings', 20: 'Current' } } },
    });
    expect(email).toEqual({ type: 'input', validations: { format: expect.any(String) } });
  });

  it('has exactly the 27 bank codes of the specification', () => {
    expect(NGN_BANK_CODES).toHaveLength(27);
    const { bank_code: bankCode } = nigeria.fields('person');
    const options = bankCode?.options ?? {};
    expect(Object.keys(options).sort()).toEqual([...NGN_BANK_CODES].sort());
    expect(Object.values(options).every((label) => label.length > 2)).toBe(true);
  });

  it('takes a name in place of first and last name for a business', () => {
    expect(Object.keys(nigeria.fields('business'))).toEqual([
      'name',
      'bank_account',
      'bank_code',
      'bank_account_type',
      'email',
    ]);
  });

  it('asks nothing further of the sender', () => {
    expect(nigeria.senderRequirements).toEqual([]);
  });

  it('tells all faults at once, in the order of the fields', () => {
    const details = { last_name: 'Okafor', bank_account: '', bank_code: '044', bank_account_type: '30', email: 'no' };
    expect(checkDetails(nigeria, 'person', details).refusals).toEqual([
      { code: 'blank', path: ['first_name'] },
      { code: 'blank', path: ['bank_account'] },
      { code: 'not_in_list', path: ['bank_code'] },
      { code: 'not_in_list', path: ['bank_account_type'] },
      { code: 'invalid', path: ['email'] },
    ]);
  });

  it('has the published fields and codes in a second file that an operator may choose', () => {
    const chosen = loadCatalogue({ variants: { 'payout/ngn-bank': 'published' } });
    const fields = present(chosen.payout('NGN::Bank'), 'NGN::Bank').fields('person');
    expect(Object.keys(fields)).toContain('street');
    const { bank_code: bankCode, bank_account_type: accountType } = fields;
    expect(Object.keys(bankCode?.options ?? {})).toHaveLength(47);
    expect(accountType?.validations.presence).toBeUndefined();
    expect(chosen.payin('NGN::Bank')?.fields()).toEqual(catalogue.payin('NGN::Bank')?.fields());
  });
});

describe('a balance', () => {
  it('has a reference and nothing else, in every currency', () => {
    for (const { code } of CURRENCIES) {
      const balance = catalogue.mustPayout(`${code}::Balance`);
      expect(balance.fields('person')).toEqual({ reference: { type: 'input', validations: {} } });
      expect(balance.fields('business')).toEqual(balance.fields('person'));
    }
  });
});

describe('XOF::Mobile as a payin method', () => {
  const payin = catalogue.mustPayin('XOF::Mobile');

  it('needs exactly the two details of the specification, and names the code of the payer of a voucher', () => {
    expect(Object.keys(payin.fields())).toEqual(['phone_number', 'mobile_provider', 'otp']);
    expect(payin.fields()['otp']).toEqual({ type: 'input', validations: {} });
    expect(checkInDetails(payin, {}).refusals).toEqual([
      { code: 'blank', path: ['phone_number'] },
      { code: 'blank', path: ['mobile_provider'] },
    ]);
  });

  it('takes the code of the payer, which may be left out', () => {
    const details = { phone_number: '+221771234700', mobile_provider: 'orange' };
    expect(checkInDetails(payin, details)).toEqual({ details, refusals: [] });
    const withCode = { ...details, otp: '123456' };
    expect(checkInDetails(payin, withCode)).toEqual({ details: withCode, refusals: [] });
    expect(checkInDetails(payin, { ...details, otp: 123456 }).refusals).toEqual([{ code: 'invalid', path: ['otp'] }]);
  });

  it('has the published details in a second file that an operator may choose', () => {
    const chosen = loadCatalogue({ variants: { 'payin/xof-mobile': 'published' } });
    const published = present(chosen.payin('XOF::Mobile'), 'XOF::Mobile');
    const details = { phone_number: '+2250712345600', mobile_provider: 'mtn', country: 'CI' };
    expect(Object.keys(published.fields())).toEqual(['phone_number', 'mobile_provider', 'country', 'otp']);
    expect(checkInDetails(published, details).refusals).toEqual([]);
    expect(checkInDetails(published, { ...details, mobile_provider: 'orange' }).refusals).toEqual([
      { code: 'blank', path: ['otp'] },
    ]);
  });
});
