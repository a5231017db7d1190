/**
 * A rate sheet: mid rates of many currencies against one base, as they were at one time. The rate between any two is
 * their cross rate, exact. Spec: Currency rates, What the service does (5).
 */
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { cross, MAX_WRITTEN_RATE_DIGITS, ONE, type Rate, rateFromDecimal } from './rate.ts';

const A_RATE = `a decimal number above zero of up to ${MAX_WRITTEN_RATE_DIGITS} digits`;

interface SheetRate {
  /** Units of the currency per one unit of the base. */
  readonly rate: Rate;
  readonly asOf: Date;
}

export interface RateSheet {
  readonly base: CurrencyCode;
  readonly asOf: Date;
  /** Made-up prices, for trying things out. Whoever serves real money refuses such a sheet. */
  readonly sample: boolean;
  /** Every currency but the base. */
  readonly rates: ReadonlyMap<CurrencyCode, SheetRate>;
}

/** What an operator wrote down is not a rate sheet or a margin table. Carries every mistake, one sentence each. */
export class RateDataInvalid extends Error {
  override readonly name = 'RateDataInvalid';
  readonly mistakes: readonly string[];

  constructor(what: string, mistakes: readonly string[]) {
    super(`${what}: ${mistakes.join('; ')}`);
    this.mistakes = mistakes;
  }
}

/**
 * Reads what somebody wrote down: currency code to decimal string. The base may be listed, as 1, and is left out of
 * the result. `mistakes` has a sentence for each entry that cannot be used, so that all are told at once.
 */
export function readRates(
  base: CurrencyCode | undefined,
  written: Readonly<Record<string, unknown>>,
): { readonly rates: ReadonlyMap<CurrencyCode, Rate>; readonly mistakes: readonly string[] } {
  const mistakes: string[] = [];
  const rates = new Map<CurrencyCode, Rate>();
  for (const [code, text] of Object.entries(written)) {
    // A JSON number may already have lost digits when it gets here.
    const rate = typeof text === 'string' ? rateFromDecimal(text) : undefined;
    if (!isCurrency(code)) mistakes.push(`${code} is not a currency of the service`);
    else if (typeof text !== 'string') mistakes.push(`${code}: the rate is not a string; write it in quotes`);
    else if (rate === undefined) mistakes.push(`${code}: ${JSON.stringify(text)} is not ${A_RATE}`);
    else if (code !== base) rates.set(code, rate);
    else if (rate.num !== rate.den) mistakes.push(`${code}: the rate of the base itself is 1`);
  }
  return { rates, mistakes };
}

/** Units of `to` per unit of `from`, exact; undefined when the sheet lacks one of them. A currency to itself is 1. */
export function mid(sheet: RateSheet, from: CurrencyCode, to: CurrencyCode): Rate | undefined {
  if (from === to) return ONE;
  const perBase = { from: ratePerBase(sheet, from), to: ratePerBase(sheet, to) };
  if (perBase.from === undefined || perBase.to === undefined) return undefined;
  return cross({ from: perBase.from, to: perBase.to });
}

/** The age of a rate is that of its older half. Undefined when there is no rate, or none is needed. */
export function midAsOf(sheet: RateSheet, from: CurrencyCode, to: CurrencyCode): Date | undefined {
  if (from === to || mid(sheet, from, to) === undefined) return undefined;
  const timesMs = [from, to].flatMap((code) => sheet.rates.get(code)?.asOf.getTime() ?? []);
  return new Date(Math.min(...timesMs));
}

function ratePerBase(sheet: RateSheet, currency: CurrencyCode): Rate | undefined {
  return currency === sheet.base ? ONE : sheet.rates.get(currency)?.rate;
}
