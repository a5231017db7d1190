/**
 * What the sandbox tells payers: values of the right form, with right check digits, that belong to nobody.
 * docs/sandbox.md shows the same rows. Ours: open point OP-224.
 */
import { toDecimalString, toJsonNumber } from '../../money/format.ts';
import type { PayinOrder } from '../payin-provider.ts';
import { testAddressOf } from './test-address.ts';

type Values = Readonly<Record<string, string>>;

const PAYEE: Values = {
  account_name: 'Sandbox Payee',
  'Account Name': 'Sandbox Payee',
  'Beneficiary Address': '1 Example Street, Sandbox',
  bank_name: 'Sandbox Bank',
  'Bank Address': '2 Example Street, Sandbox',
};

/**
 * Bank code, sort code and German bank code of zeros are given to no bank, and a BIC whose eighth character is 0 is one
 * for tests. The last digit of the Nigerian account number is the check digit of bank code and number.
 */
const ACCOUNTS: Readonly<Record<string, Values>> = {
  'EUR::Bank': { IBAN: 'DE52000000000012345678', BIC: 'ZZZZDE20' },
  'GBP::Bank': {
    'Account Number': '12345678',
    'Sort Code': '000000',
    IBAN: 'GB72ZZZZ00000012345678',
    BIC: 'ZZZZGB20',
  },
  'NGN::Bank': { bank_code: '000', account_number: '0123456784' },
};

/** Reserved for examples: nobody is there. */
const CHECKOUT = 'https://checkout.example.com/';

/** Every name that the flow of the type has; the reference is the one that the payer has to quote. */
export function shownBy(order: PayinOrder): Readonly<Record<string, string | number>> {
  const { shows, payinType, payinReference, amount } = order;
  const address = testAddressOf(payinReference);
  const known: Readonly<Record<string, string | number>> = {
    ...PAYEE,
    ...ACCOUNTS[payinType],
    reference: payinReference,
    Reference: payinReference,
    amount: toJsonNumber(amount),
    Address: address,
    // Written out: a small number as JSON writes it would be read as another amount.
    url: `bitcoin:${address}?amount=${toDecimalString(amount)}`,
  };
  const shown = shows.map((name) => [name, known[name] ?? `sandbox ${name}`] as const);
  return Object.fromEntries(shown.map(([name, value]) => [name, name === 'checkout_url' ? checkout(shown) : value]));
}

/** Published: the other values are its parameters. */
function checkout(shown: readonly (readonly [string, string | number])[]): string {
  const others = shown.filter(([name]) => name !== 'checkout_url').map(([name, value]) => [name, String(value)]);
  return `${CHECKOUT}?${new URLSearchParams(Object.fromEntries(others))}`;
}
