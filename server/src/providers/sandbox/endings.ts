/**
 * The published triggers of the sandbox: the last digits of an account or phone number give the code of the outcome.
 * For some types the table depends on the mobile operator or on the country. docs/sandbox.md shows the same rows. Open
 * point OP-85.
 */

/** Last digits to code. */
export type Endings = Readonly<Record<string, string>>;

export interface EndingTable {
  readonly payoutType: string;
  /** The detail whose last digits count. */
  readonly field: 'bank_account' | 'phone_number';
  /** The detail and its value for which this table holds; undefined: for all. */
  readonly only?: { readonly field: 'mobile_provider' | 'country'; readonly value: string };
  readonly endings: Endings;
}

/** Of one kind of wallet in two currencies, and alike. */
const FRANC_WALLETS: Endings = { '00': '0', '01': '14', '38': '3', '09': '531', '69': '42' };
const GHANA: Endings = { '00': '0', '01': '14', '18': '3', '19': '5', '39': '421' };

export const ENDING_TABLES: readonly EndingTable[] = [
  {
    payoutType: 'NGN::Bank',
    field: 'bank_account',
    endings: { '00': '0', '01': '14', '08': '3', '19': '416', '71': '511' },
  },
  { payoutType: 'GHS::Bank', field: 'bank_account', endings: GHANA },
  { payoutType: 'GHS::Mobile', field: 'phone_number', endings: GHANA },
  {
    payoutType: 'UGX::Mobile',
    field: 'phone_number',
    only: { field: 'mobile_provider', value: 'airtel' },
    endings: { '00': '0', '11': '14', '18': '331', '19': '42', '49': '5' },
  },
  {
    payoutType: 'UGX::Mobile',
    field: 'phone_number',
    only: { field: 'mobile_provider', value: 'mtn' },
    // Published as 09 with an example that ends in 19: both fail.
    endings: { '0': '0', '1': '14', '18': '331', '19': '414', '09': '414' },
  },
  {
    payoutType: 'XAF::Mobile',
    field: 'phone_number',
    only: { field: 'country', value: 'CM' },
    endings: FRANC_WALLETS,
  },
  {
    payoutType: 'XAF::Mobile',
    field: 'phone_number',
    only: { field: 'country', value: 'GA' },
    endings: { '0': '0', '1': '14', '08': '3', '09': '423' },
  },
  { payoutType: 'XOF::Mobile', field: 'phone_number', endings: FRANC_WALLETS },
];

const LONGEST_ENDING = 2;

/** The code of the longest ending that is listed; undefined: none is. */
export function codeByEnding(payoutType: string, details: Readonly<Record<string, unknown>>): string | undefined {
  for (const { payoutType: type, field, only, endings } of ENDING_TABLES) {
    if (type !== payoutType || (only !== undefined && details[only.field] !== only.value)) continue;
    const text = String(details[field] ?? '');
    for (let length = LONGEST_ENDING; length > 0; length -= 1) {
      const ending = text.slice(-length);
      if (Object.hasOwn(endings, ending)) return endings[ending];
    }
  }
  return undefined;
}
