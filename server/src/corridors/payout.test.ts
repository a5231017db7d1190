import { describe, expect, it } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { CatalogueInvalid } from './mistakes.ts';

const catalogue = loadCatalogue();
const payout = (type: string) => catalogue.mustPayout(type);

describe('the step of five', () => {
  it.each([
    ['XOF::Mobile', { country: 'CI', mobile_provider: 'orange' }, 5n],
    ['XOF::Mobile', { country: 'CI', mobile_provider: 'mtn' }, undefined],
    ['XOF::Mobile', { country: 'SN', mobile_provider: 'orange' }, undefined],
    ['XOF::Mobile', {}, undefined],
    ['XAF::Mobile', { country: 'CM', mobile_provider: 'orange' }, undefined],
    ['NGN::Bank', { country: 'CI', mobile_provider: 'orange' }, undefined],
  ])('of %s with %o is %s', (type, details, step) => {
    expect(payout(type).outputStepMinor(details)).toBe(step);
  });

  it('applies to further operators that an operator of the service names', () => {
    const more = loadCatalogue({
      operatorsOfFives: [
        { country: 'CM', mobileProvider: 'orange' },
        { country: 'SN', mobileProvider: 'wave' },
      ],
    });
    expect(more.payout('XAF::Mobile')?.outputStepMinor({ country: 'CM', mobile_provider: 'orange' })).toBe(5n);
    expect(more.payout('XAF::Mobile')?.outputStepMinor({ country: 'CM', mobile_provider: 'mtn' })).toBeUndefined();
    expect(more.payout('XOF::Mobile')?.outputStepMinor({ country: 'SN', mobile_provider: 'wave' })).toBe(5n);
    expect(more.payout('XOF::Mobile')?.outputStepMinor({ country: 'CI', mobile_provider: 'orange' })).toBe(5n);
  });

  it.each([
    { country: 'CM', mobileProvider: 'wave' },
    { country: 'UG', mobileProvider: 'mtn' },
  ])('is a mistake for %o, which no corridor in CFA francs has', (operator) => {
    expect(() => loadCatalogue({ operatorsOfFives: [operator] })).toThrow(CatalogueInvalid);
  });
});

describe('account checks', () => {
  it.each([
    ['NGN::Bank', 'endpoint', ['name NG']],
    ['NGN::Bank', 'transaction', ['name NG']],
    ['GHS::Bank', 'transaction', ['name GH']],
    ['GHS::Mobile', 'transaction', ['name GH airteltigo,mtn,vodafone']],
    ['UGX::Mobile', 'endpoint', ['name UG airtel', 'status UG mtn']],
    ['UGX::Mobile', 'transaction', []],
    ['XAF::Mobile', 'endpoint', ['telco CM orange', 'status CM mtn']],
    ['XAF::Mobile', 'transaction', ['telco CM orange', 'status CM mtn']],
    [
      'XOF::Mobile',
      'endpoint',
      [
        'telco BJ moov,mtn',
        'telco BF moov,orange',
        'telco CI moov,mtn,orange',
        'telco SN orange,expresso,free',
        'telco TG moov,tmoney',
      ],
    ],
    ['XOF::Mobile', 'transaction', ['telco BF,CI,SN orange']],
  ] as const)('of %s at the %s', (type, where, expected) => {
    const rows = payout(type).checks.filter((check) => check.where.includes(where));
    const written = rows.map(({ kind, countries, mobileProviders }) =>
      [kind, countries, mobileProviders].join(' ').trim(),
    );
    expect(written).toEqual(expected);
  });

  it('exist for no other type', () => {
    const checked = catalogue.payouts().filter(({ checks }) => checks.length > 0);
    expect(checked.map(({ type }) => type).sort()).toEqual(
      ['NGN::Bank', 'GHS::Bank', 'GHS::Mobile', 'UGX::Mobile', 'XAF::Mobile', 'XOF::Mobile'].sort(),
    );
  });
});
