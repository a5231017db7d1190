import { describe, expect, it } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { checkInDetails } from './check-details.ts';

const catalogue = loadCatalogue();
const payin = (type: string) => catalogue.mustPayin(type);

describe('the flow of a payin', () => {
  it.each([
    ['XOF::Mobile', { phone_number: '+221771234700', mobile_provider: 'orange' }, 'ussd_voucher'],
    ['XOF::Mobile', { phone_number: '+2250712345600', mobile_provider: 'orange' }, 'ussd_voucher'],
    ['XOF::Mobile', { phone_number: '+2250512345600', mobile_provider: 'mtn' }, 'ussd_popup'],
    ['XOF::Mobile', { phone_number: '+221761234700', mobile_provider: 'free' }, 'ussd_popup'],
    ['XOF::Mobile', { phone_number: '+22670123400', mobile_provider: 'orange' }, 'ussd_popup'],
    ['XOF::Mobile', {}, 'ussd_popup'],
    ['GHS::Mobile', { phone_number: '+233302123400', mobile_provider: 'mtn' }, 'ussd_menu_approval'],
    ['GHS::Mobile', { phone_number: '+233302123400', mobile_provider: 'vodafone' }, 'ussd_popup'],
    ['UGX::Mobile', { phone_number: '+256772123400' }, 'ussd_popup'],
    ['NGN::Bank', {}, 'bank_transfer'],
    ['EUR::Bank', {}, 'bank_transfer'],
    ['GBP::Bank', {}, 'bank_transfer'],
    ['BTC', {}, 'blockchain'],
  ])('%s with %o is %s', (type, details, flow) => {
    expect(payin(type).uxFlow(details)).toBe(flow);
  });

  it('lists the flows that a provider may choose by itself', () => {
    expect(payin('GHS::Mobile').uxFlows).toEqual(['ussd_popup', 'ussd_menu_approval', 'otp_verified_ussd_popup']);
    expect(payin('GHS::Mobile').outDetails.get('ussd_menu_approval')?.get('dialing_number')).toBe('*170#');
  });
});

describe('a payin', () => {
  it('lets another amount arrive only where the payer chooses what to send', () => {
    const free = catalogue.payins().filter(({ allowsAnotherAmount }) => allowsAnotherAmount);
    expect(free.map(({ type }) => type).sort()).toEqual(['BTC', 'EUR::Bank', 'GBP::Bank', 'NGN::Bank']);
  });

  it('by mobile money takes the country from the phone number', () => {
    expect(payin('XOF::Mobile').countryOf({ phone_number: '+22890123400' })).toBe('TG');
    const details = { phone_number: '+228 90 12 34 00', mobile_provider: 'orange' };
    expect(checkInDetails(payin('XOF::Mobile'), details)).toEqual({
      details: { phone_number: '+22890123400', mobile_provider: 'orange' },
      refusals: [{ code: 'not_in_list', path: ['mobile_provider'] }],
    });
  });

  it('refuses the phone number of a country that it does not serve', () => {
    const details = { phone_number: '+256772123400', mobile_provider: 'orange' };
    expect(checkInDetails(payin('XOF::Mobile'), details).refusals).toEqual([
      { code: 'invalid', path: ['phone_number'] },
    ]);
  });

  it('by bank transfer in euro or pound needs no details', () => {
    for (const type of ['EUR::Bank', 'GBP::Bank']) {
      expect(payin(type).fields()).toEqual({});
      expect(checkInDetails(payin(type), undefined)).toEqual({ details: {}, refusals: [] });
    }
  });
});
