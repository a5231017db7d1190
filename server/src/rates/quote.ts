/**
 * Quoting, pure: a requested amount and a rate sheet in, the input and the output amount out, with the rate that was
 * used. Rounded in this order: the requested amount; then what follows from it, each by its own rule. The exchange is
 * always between input and output currency. Spec: What the service does (5), Recipient (amounts), Limits.
 */
import { assert } from '../kernel/assert.ts';
import { accepted, type Checked, refuse, refused } from '../kernel/refusal.ts';
import { type Amount, amount, MAX_MINOR } from '../money/amount.ts';
import { type CurrencyCode, currencyOf, type Rounding } from '../money/currencies.ts';
import { cut, type Rational, roundToDecimals, unitMinor, upToMultiple } from '../money/rounding.ts';
import { type MarginTable, quoted } from './margins.ts';
import { convert, invert, type Rate } from './rate.ts';
import { mid, type RateSheet } from './sheet.ts';

export interface QuoteRequest {
  readonly requested: Amount;
  readonly inputCurrency: CurrencyCode;
  readonly outputCurrency: CurrencyCode;
  readonly sheet: RateSheet;
  readonly margins: MarginTable;
  /** Some operators pay multiples of this only: 5 for XOF and XAF. */
  readonly outputStepMinor?: bigint | undefined;
  /** How an input amount that had to be computed is rounded. A currency that the specification rounds up goes up. */
  readonly inputRounding: Rounding;
}

export interface Quote {
  readonly requested: Amount;
  readonly input: Amount;
  readonly output: Amount;
  /** Units of output per unit of input, margin taken off. The transaction keeps it for life. */
  readonly rate: Rate;
  /** Units of input per unit of requested, at mid: only where a third currency was requested. */
  readonly requestedRate?: Rate;
}

/** Refuses with rate_unavailable, not_positive or too_large. */
export function quote(request: QuoteRequest): Checked<Quote> {
  const rate = quoted(request.sheet, request.margins, request.inputCurrency, request.outputCurrency);
  if (rate === undefined) return refused(refuse('rate_unavailable'));
  const { minor, currency } = request.requested;
  const rounded = roundToDecimals(currencyOf(currency).rounding, { num: minor, den: 1n }, currency);
  const requested = inBounds(rounded, currency);
  if (!requested.ok) return requested;
  // The output comes first: where input and output are one currency, the step then raises both alike.
  if (currency === request.outputCurrency) return quoteByOutput(request, requested.value, rate);
  if (currency === request.inputCurrency) return quoteByInput(request, requested.value, rate);
  return quoteByThird(request, requested.value, rate);
}

/** What an input amount buys at a rate: rounded by the rule of the output currency, then up to the step. */
export function outputOf(
  input: Amount,
  rate: Rate,
  to: { readonly outputCurrency: CurrencyCode; readonly outputStepMinor?: bigint | undefined },
): Checked<Amount> {
  return roundOutput(convert(input, rate, to.outputCurrency), to.outputCurrency, to.outputStepMinor);
}

/** `input_usd_amount`: at the mid rate, cut. Undefined without a rate, or when the value exceeds the largest amount. */
export function usdValue(input: Amount, rate: Rate | undefined): Amount | undefined {
  if (rate === undefined) return undefined;
  const minor = cut(convert(input, rate, 'USD'));
  return minor > MAX_MINOR ? undefined : amount(minor, 'USD');
}

function quoteByInput(request: QuoteRequest, requested: Amount, rate: Rate): Checked<Quote> {
  const output = outputOf(requested, rate, request);
  if (!output.ok) return output;
  return accepted({ requested, input: requested, output: output.value, rate });
}

function quoteByOutput(request: QuoteRequest, requested: Amount, rate: Rate): Checked<Quote> {
  const output = roundOutput({ num: requested.minor, den: 1n }, request.outputCurrency, request.outputStepMinor);
  if (!output.ok) return output;
  const input = roundInput(request, convert(output.value, invert(rate), request.inputCurrency));
  if (!input.ok) return input;
  return accepted({ requested, input: input.value, output: output.value, rate });
}

function quoteByThird(request: QuoteRequest, requested: Amount, rate: Rate): Checked<Quote> {
  // Without margin: it only measures. Open point OP-89.
  const requestedRate = mid(request.sheet, requested.currency, request.inputCurrency);
  if (requestedRate === undefined) return refused(refuse('rate_unavailable'));
  const input = roundInput(request, convert(requested, requestedRate, request.inputCurrency));
  if (!input.ok) return input;
  const output = outputOf(input.value, rate, request);
  if (!output.ok) return output;
  // Within one currency nothing is exchanged: what the recipient gets is what is paid in, the step included.
  const paidIn = request.inputCurrency === request.outputCurrency ? output.value : input.value;
  return accepted({ requested, input: paidIn, output: output.value, rate, requestedRate });
}

function roundInput(request: QuoteRequest, exactMinor: Rational): Checked<Amount> {
  const currency = request.inputCurrency;
  const rule = currencyOf(currency).rounding === 'up' ? 'up' : request.inputRounding;
  return inBounds(roundToDecimals(rule, exactMinor, currency), currency);
}

function roundOutput(exactMinor: Rational, currency: CurrencyCode, stepMinor = unitMinor(currency)): Checked<Amount> {
  assert(stepMinor % unitMinor(currency) === 0n, `a step in ${currency} is made of whole payable units`);
  const minor = roundToDecimals(currencyOf(currency).rounding, exactMinor, currency);
  return inBounds(upToMultiple(minor, stepMinor), currency);
}

function inBounds(minor: bigint, currency: CurrencyCode): Checked<Amount> {
  if (minor === 0n) return refused(refuse('not_positive'));
  if (minor > MAX_MINOR) return refused(refuse('too_large'));
  return accepted(amount(minor, currency));
}
