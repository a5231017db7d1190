/** Uses the generated types as a caller's program would. Compiled by details-types.test.ts; never run. */
import type { PayinDetails, PayoutDetails, PayoutType } from 'payferry/payout-details';

export const person: PayoutDetails<'NGN::Bank', 'person'> = {
  first_name: 'Obi',
  last_name: 'Example',
  bank_account: '1234567890',
  bank_code: '058',
  bank_account_type: '20',
};

export const business: PayoutDetails<'NGN::Bank', 'business'> = {
  name: 'Example Ltd',
  bank_account: '1234567890',
  bank_code: '058',
  bank_account_type: '10',
};

/** Of any type of recipient. */
export const either: PayoutDetails<'NGN::Bank'>[] = [person, business];

export const byIban: PayoutDetails<'GBP::Bank', 'person'> = {
  first_name: 'Ada',
  last_name: 'Example',
  iban: 'GB82WEST12345698765432',
};

export const wallet: PayinDetails<'XOF::Mobile'> = { phone_number: '+221771234700', mobile_provider: 'orange' };

export const types: PayoutType[] = ['NGN::Bank', 'BTC', 'USD::Balance'];

// @ts-expect-error the bank code is not in the list
export const wrongBank: PayoutDetails<'NGN::Bank', 'person'> = { ...person, bank_code: '044' };

// @ts-expect-error a needed field is missing
export const noAccount: PayoutDetails<'NGN::Bank', 'business'> = { name: 'Example Ltd', bank_code: '058' };

// @ts-expect-error an account and an IBAN exclude each other
export const both: PayoutDetails<'GBP::Bank', 'person'> = { ...byIban, bank_account: '12345678', sort_code: '112233' };

// @ts-expect-error mobile wallets in Nigeria are for persons
export type NoBusiness = PayoutDetails<'NGN::Mobile', 'business'>;

// @ts-expect-error there is no such type
export const noType: PayoutType = 'NGN::Bonk';
