/** A mid rate as it is stored, and its text: exact, and a decimal wherever the rate has one. */
import type { CurrencyCode } from '../money/currencies.ts';
import { MAX_DECIMAL_CHARS } from '../money/parse.ts';
import { formatRate, type Rate } from './rate.ts';

export const RATE_BASE: CurrencyCode = 'USD';
export const FILE_ORIGIN = 'file';
/** Made-up prices: never used where money is real. */
export const SAMPLE_ORIGIN = 'sample';

export interface StoredRate {
  readonly currency: CurrencyCode;
  /** Units of the currency per one unit of the base. */
  readonly rate: Rate;
  readonly asOf: Date;
  readonly origin: string;
}

/** An exact text: a decimal where the rate has one, as every rate that somebody wrote down does; else a fraction. */
export function exactText(rate: Rate): string {
  let scale = 0;
  let power = 1n;
  // A fraction in lowest terms is a decimal when its denominator divides a power of ten, and then a small one.
  while (power % rate.den !== 0n && scale < MAX_DECIMAL_PLACES) {
    scale += 1;
    power *= 10n;
  }
  if (power % rate.den !== 0n) return formatRate(rate);
  const digits = ((rate.num * power) / rate.den).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  // A longer decimal would not be read again.
  return text.length > MAX_DECIMAL_CHARS ? formatRate(rate) : text;
}

/** A denominator below 10^30 that divides a power of ten divides 10^99, since it holds fewer than 100 twos. */
const MAX_DECIMAL_PLACES = 99;
