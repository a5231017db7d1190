/**
 * The only way in for amounts: a decimal string, read exactly, or a JSON number, taken by its shortest decimal form.
 * Refuses with blank, not_a_number, too_large, too_many_digits, too_many_decimals or not_positive; callers add the path
 * of the field.
 * Spec: Recipient (requested_amount), Debit (amount), Limits (decimal places).
 */
import { accepted, type Checked, refuse, refused } from '../kernel/refusal.ts';
import { type Amount, amount, MAX_MINOR } from './amount.ts';
import { type CurrencyCode, currencyOf } from './currencies.ts';
import { cut, type Rational, roundToDecimals } from './rounding.ts';

/** Checked before anything else looks at the text. */
export const MAX_DECIMAL_CHARS = 64;
/** Every decimal of 15 digits survives a double; of 16 or more some come out as another number than was written. */
const MAX_NUMBER_DIGITS = 15;

/** Digits on both sides of the point, an exponent of up to three digits: linear time, and no power above 10^999. */
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** An amount that a caller asks for: digits beyond the currency's decimal places are rounded by its rule. */
export function parseAmount(input: unknown, currency: CurrencyCode): Checked<Amount> {
  const rule = currencyOf(currency).rounding;
  return readAmount(input, currency, (exactMinor) => roundToDecimals(rule, exactMinor, currency));
}

/** An amount that has arrived: subunits are kept, and what lies below the minor unit is cut, never made up. */
export function parseReceivedAmount(input: unknown, currency: CurrencyCode): Checked<Amount> {
  return readAmount(input, currency, cut);
}

/** Nobody means a thousand by `1e3`: it is a slip of the hand, or what a spreadsheet made of a longer number. */
const EXPONENT = /e/i;

/**
 * An amount that somebody answers for, as operators do: kept to the last digit, or refused with too_many_decimals. A
 * text has no exponent.
 */
export function parseExactAmount(input: unknown, currency: CurrencyCode): Checked<Amount> {
  if (typeof input === 'string' && EXPONENT.test(input)) return refused(refuse('not_a_number'));
  return readAmount(input, currency, ({ num, den }) => (num % den === 0n ? num / den : undefined));
}

/** Any decimal, exactly; undefined when the text is not one. For rates and margins. */
export function parseExactDecimal(text: string): Rational | undefined {
  const decimal = readDecimal(text);
  if (decimal === undefined) return undefined;
  const { num, den } = shift(BigInt(decimal.digits), decimal.exponent);
  return { num: decimal.negative ? -num : num, den };
}

/** `round` gives undefined for what it does not round. */
function readAmount(
  input: unknown,
  currency: CurrencyCode,
  round: (exactMinor: Rational) => bigint | undefined,
): Checked<Amount> {
  if (input === null || input === undefined || input === '') return refused(refuse('blank'));
  if (typeof input !== 'string' && typeof input !== 'number') return refused(refuse('not_a_number'));
  // The text of a double is its shortest decimal form; NaN and Infinity have none and fail as any other word does.
  const text = String(input);
  if (text.length > MAX_DECIMAL_CHARS) return refused(refuse('too_large'));
  const decimal = readDecimal(text);
  if (decimal === undefined) return refused(refuse('not_a_number'));
  if (typeof input === 'number' && countSignificant(decimal.digits) > MAX_NUMBER_DIGITS) {
    return refused(refuse('too_many_digits'));
  }
  if (decimal.negative) return refused(refuse('not_positive'));
  const minor = round(shift(BigInt(decimal.digits), decimal.exponent + currencyOf(currency).minorDigits));
  if (minor === undefined) return refused(refuse('too_many_decimals'));
  if (minor === 0n) return refused(refuse('not_positive'));
  if (minor > MAX_MINOR) return refused(refuse('too_large'));
  return accepted(amount(minor, currency));
}

interface Decimal {
  readonly negative: boolean;
  /** All digits without the point. */
  readonly digits: string;
  /** The power of ten of the last digit. */
  readonly exponent: number;
}

function readDecimal(text: string): Decimal | undefined {
  if (text.length > MAX_DECIMAL_CHARS) return undefined;
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return { negative: sign === '-', digits: whole + fraction, exponent: Number(exponent) - fraction.length };
}

function countSignificant(digits: string): number {
  return digits.replace(/^0+/, '').replace(/0+$/, '').length;
}

function shift(digits: bigint, exponent: number): Rational {
  return exponent >= 0
    ? { num: digits * 10n ** BigInt(exponent), den: 1n }
    : { num: digits, den: 10n ** BigInt(-exponent) };
}
