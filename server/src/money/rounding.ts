/**
 * Every rounding, by name. Values stay exact fractions until one of these makes an integer of them, and each division
 * of money in the program ends here. Spec: Limits (decimal places, rounding up, multiples of five).
 */
import { assert, unreachable } from '../kernel/assert.ts';
import { type CurrencyCode, currencyOf, type Rounding } from './currencies.ts';

/** An exact fraction; the denominator is above zero. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

/** The next integer, unless the value is one. */
export function roundUp(value: Rational): bigint {
  assertRoundable(value);
  return (value.num + value.den - 1n) / value.den;
}

/** The integer part. */
export function cut(value: Rational): bigint {
  assertRoundable(value);
  return value.num / value.den;
}

/** The nearest integer, a half goes up. For rates that are shown; money is never rounded like this. */
export function nearest(value: Rational): bigint {
  assertRoundable(value);
  return (2n * value.num + value.den) / (2n * value.den);
}

export function roundByRule(rule: Rounding, value: Rational): bigint {
  switch (rule) {
    case 'up':
      return roundUp(value);
    case 'cut':
      return cut(value);
    default:
      return unreachable(rule);
  }
}

/** Minor units in the smallest amount that can be requested or paid out: 100 for NGN, whose kobo are not paid out. */
export function unitMinor(currency: CurrencyCode): bigint {
  const { minorDigits, decimals } = currencyOf(currency);
  return 10n ** BigInt(minorDigits - decimals);
}

/** Rounds minor units to the decimal places of the currency, and gives minor units back. */
export function roundToDecimals(rule: Rounding, exactMinor: Rational, currency: CurrencyCode): bigint {
  const unit = unitMinor(currency);
  return roundByRule(rule, { num: exactMinor.num, den: exactMinor.den * unit }) * unit;
}

/** The least multiple of the step that is not below the amount. Open point OP-78. */
export function upToMultiple(minor: bigint, stepMinor: bigint): bigint {
  assert(stepMinor > 0n, 'a step is above zero');
  return roundUp({ num: minor, den: stepMinor }) * stepMinor;
}

/** Below zero `up` and `cut` could each mean two things. No amount below zero is ever rounded, so none is chosen. */
function assertRoundable(value: Rational): void {
  assert(value.den > 0n, 'the denominator of a fraction is above zero');
  assert(value.num >= 0n, 'a value below zero is not rounded');
}
