/**
 * An amount of money: an integer of minor units with its currency. Amounts of two currencies never meet here: only an
 * exchange rate can bring them together (rates/quote.ts). Spec: Resources and their fields (amounts and currencies).
 */
import { assert } from '../kernel/assert.ts';
import { accepted, type Checked, refuse, refused } from '../kernel/refusal.ts';
import type { CurrencyCode } from './currencies.ts';

export interface Amount {
  readonly minor: bigint;
  readonly currency: CurrencyCode;
}

/** Amounts stay below 10^15 minor units: 15 digits survive a JSON number, and sums of them fit the database's int8. */
export const MAX_MINOR = 10n ** 15n - 1n;

/** Below zero is allowed: a balance may go there. What callers ask for is checked by money/parse.ts. */
export function amount(minor: bigint, currency: CurrencyCode): Amount {
  assert(minor <= MAX_MINOR, `an amount in ${currency} is above the largest one`);
  assert(minor >= -MAX_MINOR, `an amount in ${currency} is below the smallest one`);
  return { minor, currency };
}

/** For amounts that a caller chose: each may be in bounds and their sum not. Refuses with too_large. */
export function checkedSum(currency: CurrencyCode, amounts: readonly Amount[]): Checked<Amount> {
  let minor = 0n;
  for (const each of amounts) {
    assert(each.currency === currency, `an amount in ${each.currency} in a sum of ${currency}`);
    minor += each.minor;
  }
  return minor > MAX_MINOR ? refused(refuse('too_large')) : accepted(amount(minor, currency));
}
