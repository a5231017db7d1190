/**
 * A provider's report of the payments that it took, as an operator hands it in: reference, amount, currency and time of
 * each. Read whole or refused, with the lines that are wrong. Open point OP-212.
 */
import { readDay } from '../documents/dates.ts';
import { isObject } from '../kernel/storable.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { parseExactAmount } from '../money/parse.ts';

/** A day of a busy provider is divided into several reports. */
export const MAX_REPORT_LINES = 10_000;
const MAX_MISTAKES = 20;
/** Without control characters, which the database would not take. */
const REFERENCE = /^[^\p{Cc}]{1,200}$/u;
/** A date alone is no time, and a time without a zone could be anywhere. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_CHARS = 10;

export interface ReportedPayment {
  /** Its place in the report, from 1. */
  readonly line: number;
  readonly reference: string;
  readonly currency: CurrencyCode;
  /** Null: it has digits below the minor unit, so nothing that can be in the books is the same. */
  readonly amount: bigint | null;
  /** The amount as the report has it. */
  readonly written: string;
  readonly at: Date;
}

type ReadReport =
  | { readonly ok: true; readonly payments: readonly ReportedPayment[] }
  | { readonly ok: false; readonly mistakes: readonly string[] };

export function readReport(lines: readonly unknown[]): ReadReport {
  const payments: ReportedPayment[] = [];
  const mistakes: string[] = [];
  for (const [index, value] of lines.entries()) {
    const line = index + 1;
    const read = readLine(value, line);
    if (read.ok) payments.push(read.payment);
    else mistakes.push(...read.mistakes.map((mistake) => `payment ${line}: ${mistake}`));
    if (mistakes.length >= MAX_MISTAKES) break;
  }
  return mistakes.length === 0 ? { ok: true, payments } : { ok: false, mistakes: mistakes.slice(0, MAX_MISTAKES) };
}

type ReadLine =
  | { readonly ok: true; readonly payment: ReportedPayment }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/** The payment, or everything that is wrong with it. */
function readLine(value: unknown, line: number): ReadLine {
  if (!isObject(value)) return { ok: false, mistakes: ['is not an object'] };
  const reference = typeof value['reference'] === 'string' && REFERENCE.test(value['reference']) && value['reference'];
  const money = readMoney(value);
  const at = readTime(value['time']);
  if (reference !== false && typeof money !== 'string' && at !== undefined) {
    return { ok: true, payment: { line, reference, ...money, at } };
  }
  const mistakes = [
    ...(reference === false ? ['reference: is not a text of 1 to 200 visible characters'] : []),
    ...(typeof money === 'string' ? [money] : []),
    ...(at === undefined ? ['time: is not like 2026-11-16T09:00:00Z'] : []),
  ];
  return { ok: false, mistakes };
}

/** Or what is wrong: an amount is read in its currency. */
function readMoney({
  amount,
  currency,
}: Readonly<Record<string, unknown>>): Pick<ReportedPayment, 'currency' | 'amount' | 'written'> | string {
  if (!isCurrency(currency)) return 'currency: is not one that the service handles';
  const read = parseExactAmount(amount, currency);
  const mistakes = read.ok ? [] : read.refusals.map(({ code }) => code);
  // Not a mistake of the report: whoever compares has to see such an amount beside the one that was posted.
  const isFiner = mistakes.includes('too_many_decimals');
  if (mistakes.length > 0 && !isFiner) return `amount: ${mistakes.join(', ')}`;
  return { currency, amount: read.ok ? read.value.minor : null, written: String(amount) };
}

/** Undefined: it is no time with a zone. */
export function readTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  // The calendar of the program rolls the 30th of February over to March.
  if (readDay(value.slice(0, DAY_CHARS)) === undefined) return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
