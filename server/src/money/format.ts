/**
 * The only way out for amounts: JSON numbers on the wire (Open point OP-10.), decimal strings where people
 * read or where a field is a string. Spec: Resources and their fields (amounts).
 */
import { assert } from '../kernel/assert.ts';
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

/** The number whose shortest decimal form is the amount: every decimal of 15 digits survives a double. */
export function toJsonNumber(value: Amount): number {
  assert(value.minor <= MAX_MINOR && value.minor >= -MAX_MINOR, 'an amount has at most 15 digits');
  return Number(toDecimalString(value));
}

/**
 * A balance may hold more than any amount: what comes back, and what is collected, is refused to nobody. It is shown all
 * the same, to the minor unit up to four times the largest amount, and beyond that by the nearest double.
 */
export function balanceToJsonNumber(balance: Amount): number {
  return Number(toDecimalString(balance));
}
