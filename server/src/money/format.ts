/**
 * The only way out for amounts: JSON numbers on the wire (Open point OP-10.), decimal strings where people
 * read or where a field is a string. Spec: Resources and their fields (amounts).
 */
import { assert, present } from '../kernel/assert.ts';
import type { Amount } from './amount.ts';
import { currencyOf } from './currencies.ts';
import { parseExactDecimal } from './parse.ts';

/** `750.00`, `-0.05`, `1500` for a currency without a minor unit: always all digits of the minor unit. */
export function toDecimalString(value: Amount): string {
  const { minorDigits } = currencyOf(value.currency);
  const sign = value.minor < 0n ? '-' : '';
  const digits = (value.minor < 0n ? -value.minor : value.minor).toString().padStart(minorDigits + 1, '0');
  if (minorDigits === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -minorDigits)}.${digits.slice(-minorDigits)}`;
}

/** The number whose shortest decimal form is the amount. That there is one follows from the bound on amounts. */
export function toJsonNumber(value: Amount): number {
  const result = Number(toDecimalString(value));
  const written = present(parseExactDecimal(String(result)), 'the decimal form of an amount');
  const scale = 10n ** BigInt(currencyOf(value.currency).minorDigits);
  const survived = written.num * scale === value.minor * written.den;
  assert(survived, `an amount in ${value.currency} does not survive a JSON number`);
  return result;
}
