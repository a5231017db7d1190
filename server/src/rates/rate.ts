/**
 * An exchange rate: an exact fraction above zero in lowest terms, units of one currency per unit of another. Nothing
 * is rounded here but the number that is shown. Spec: What the service does (5), Currency rates.
 */
import { assert } from '../kernel/assert.ts';
import type { Amount } from '../money/amount.ts';
import { type CurrencyCode, minorPerUnit } from '../money/currencies.ts';
import { parseExactDecimal } from '../money/parse.ts';
import { nearest, type Rational } from '../money/rounding.ts';

export type Rate = Rational;

/** Digits of each part of a rate that somebody writes down, as a decimal. */
export const MAX_WRITTEN_RATE_DIGITS = 30;
/** Digits of each part of any rate: room for two written rates and a margin, which is what a quoted rate is made of. */
export const MAX_RATE_DIGITS = 100;
/** Digits of a rate that is shown as a JSON number: the most that every double keeps. */
const SHOWN_DIGITS = 15;

const WRITTEN_LIMIT = 10n ** BigInt(MAX_WRITTEN_RATE_DIGITS);
const LIMIT = 10n ** BigInt(MAX_RATE_DIGITS);
const FRACTION = /^([1-9]\d*)\/([1-9]\d*)$/;
const MAX_FRACTION_CHARS = 2 * MAX_RATE_DIGITS + 1;

export const ONE: Rate = { num: 1n, den: 1n };

export function rate(num: bigint, den: bigint): Rate {
  assert(num > 0n, 'the numerator of a rate is above zero');
  assert(den > 0n, 'the denominator of a rate is above zero');
  const lowest = toLowestTerms(num, den);
  assert(lowest.num < LIMIT, 'the numerator of a rate has too many digits');
  assert(lowest.den < LIMIT, 'the denominator of a rate has too many digits');
  return lowest;
}

/** Undefined when the text is not a decimal above zero, or has more digits than a written rate may have. */
export function rateFromDecimal(text: string): Rate | undefined {
  const value = parseExactDecimal(text);
  if (value === undefined || value.num <= 0n) return undefined;
  const lowest = toLowestTerms(value.num, value.den);
  return lowest.num < WRITTEN_LIMIT && lowest.den < WRITTEN_LIMIT ? lowest : undefined;
}

/** The text that a quote stores: `7627/5`. It gives back the same rate, to the last digit, for life. */
export function formatRate(value: Rate): string {
  return `${value.num}/${value.den}`;
}

export function parseRate(text: string): Rate | undefined {
  if (text.length > MAX_FRACTION_CHARS) return undefined;
  const [, num, den] = FRACTION.exec(text) ?? [];
  if (num === undefined || den === undefined) return undefined;
  if (num.length > MAX_RATE_DIGITS || den.length > MAX_RATE_DIGITS) return undefined;
  return rate(BigInt(num), BigInt(den));
}

export function invert(value: Rate): Rate {
  return { num: value.den, den: value.num };
}

export function multiply(left: Rate, right: Rate): Rate {
  return rate(left.num * right.num, left.den * right.den);
}

/** Both rates are units per one unit of the same base; the result is units of `to` per unit of `from`. */
export function cross(rates: { readonly from: Rate; readonly to: Rate }): Rate {
  return multiply(rates.to, invert(rates.from));
}

/** What the amount is worth, as an exact number of minor units of the other currency. The caller rounds, by name. */
export function convert(value: Amount, at: Rate, to: CurrencyCode): Rational {
  return { num: value.minor * at.num * minorPerUnit(to), den: at.den * minorPerUnit(value.currency) };
}

/** For showing only: 15 significant digits, nearest. Nothing is ever computed from it. */
export function rateToJsonNumber(value: Rate): number {
  // The quotient has as many digits as the parts differ in length, or one more.
  const lengthDifference = value.num.toString().length - value.den.toString().length;
  let shift = SHOWN_DIGITS - lengthDifference;
  if (shifted(value, shift) >= 10n ** BigInt(SHOWN_DIGITS)) shift -= 1;
  const shown = Number(`${shifted(value, shift)}e${-shift}`);
  assert(shown > 0, 'a rate is shown as a number above zero');
  return shown;
}

function shifted(value: Rate, shift: number): bigint {
  const power = 10n ** BigInt(Math.abs(shift));
  return nearest(shift >= 0 ? { num: value.num * power, den: value.den } : { num: value.num, den: value.den * power });
}

/** Divides both parts by their greatest common divisor (Euclid). */
function toLowestTerms(num: bigint, den: bigint): Rational {
  let [divisor, remainder] = [num, den];
  while (remainder !== 0n) [divisor, remainder] = [remainder, divisor % remainder];
  return { num: num / divisor, den: den / divisor };
}
