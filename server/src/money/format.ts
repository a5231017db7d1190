/**
 * The only way out for amounts: JSON numbers on the wire (Open point OP-10.), decimal strings where people
 * read or where a field is a string. Spec: Resources and their fields (amounts).
 */
import { assert, present } from '../kernel/assert.ts';
import { type Amount, MAX_MINOR } from './amount.ts';
import { currencyOf } from './currencies.ts';

/** `750.00`, `-0.05`, `1500` for a currency without a minor unit: always all digits of the minor unit. */
export function toDecimalString(value: Amount): string {
  const { minorDigits } = currencyOf(value.currency);
  const sign = value.minor < 0n ? '-' : '';
  const digits = (value.minor < 0n ? -value.minor : value.minor).toString().padStart(minorDigits + 1, '0');
  if (minorDigits === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -minorDigits)}.${digits.slice(-minorDigits)}`;
}

const POWERS_OF_TEN = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as const;

/**
 * The number whose shortest decimal form is the amount: every decimal of 15 digits survives a double. Both sides of the
 * division are exact, so that its result is the double nearest to the amount, as reading the decimal text would give
 * it; a payout shows a dozen of them.
 */
export function toJsonNumber({ minor, currency }: Amount): number {
  assert(minor <= MAX_MINOR && minor >= -MAX_MINOR, 'an amount has at most 15 digits');
  return Number(minor) / present(POWERS_OF_TEN[currencyOf(currency).minorDigits], 'the power of ten of a minor unit');
}

/**
 * A balance may hold more than any amount: what comes back, and what is collected, is refused to nobody. It is shown
 * all the same, to the minor unit up to four times the largest amount, and beyond that by the nearest double.
 */
export function balanceToJsonNumber(balance: Amount): number {
  return Number(toDecimalString(balance));
}
