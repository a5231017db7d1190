/**
 * Margins: the part of the mid rate that the service keeps, per currency pair; an operator's setting. A quoted rate is
 * the mid rate less the margin, still exact. Spec: Currency rates (rate); the size of a margin is ours to set.
 */
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { parseExactDecimal } from '../money/parse.ts';
import { multiply, ONE, type Rate, rate, rateFromDecimal } from './rate.ts';
import { mid, RateDataInvalid, type RateSheet } from './sheet.ts';

interface Margin {
  /** As the operator wrote it, for showing: `0.015`. */
  readonly text: string;
  /** One less the margin: what the mid rate is multiplied by. */
  readonly kept: Rate;
}

export interface MarginTable {
  /** `USD/NGN`: from input to output currency. */
  readonly pairs: ReadonlyMap<string, Margin>;
  /** For every other pair. */
  readonly others: Margin;
}

const NO_MARGIN: Margin = { text: '0', kept: ONE };
const OTHERS = '*';

/** Reads `{"USD/NGN": "0.015", "*": "0"}`. Throws RateDataInvalid with all mistakes, each naming its pair. */
export function marginTable(written: Readonly<Record<string, string>>): MarginTable {
  const mistakes: string[] = [];
  const pairs = new Map<string, Margin>();
  let others = NO_MARGIN;
  for (const [pair, text] of Object.entries(written)) {
    const margin = readMargin(text);
    if (!isPair(pair)) mistakes.push(`${pair} is neither a pair of two currencies of the service nor ${OTHERS}`);
    else if (margin === undefined)
      mistakes.push(`${pair}: ${JSON.stringify(text)} is not a fraction from 0 to below 1`);
    else if (pair === OTHERS) others = margin;
    else pairs.set(pair, margin);
  }
  if (mistakes.length > 0) throw new RateDataInvalid('margins', mistakes);
  return { pairs, others };
}

/** Nothing is kept where nothing is exchanged. */
export function marginOf(margins: MarginTable, from: CurrencyCode, to: CurrencyCode): Margin {
  if (from === to) return NO_MARGIN;
  return margins.pairs.get(`${from}/${to}`) ?? margins.others;
}

/** The rate that a caller gets; undefined when the sheet has none. A currency to itself is exactly 1. */
export function quoted(sheet: RateSheet, margins: MarginTable, from: CurrencyCode, to: CurrencyCode): Rate | undefined {
  const midRate = mid(sheet, from, to);
  return midRate && multiply(midRate, marginOf(margins, from, to).kept);
}

function readMargin(text: string): Margin | undefined {
  const value = parseExactDecimal(text);
  if (value === undefined || value.num < 0n || value.num >= value.den) return undefined;
  // The bound on the digits of a written rate holds for margins too.
  if (value.num > 0n && rateFromDecimal(text) === undefined) return undefined;
  return { text, kept: rate(value.den - value.num, value.den) };
}

function isPair(text: string): boolean {
  if (text === OTHERS) return true;
  const [from, to, ...rest] = text.split('/');
  return isCurrency(from) && isCurrency(to) && from !== to && rest.length === 0;
}
