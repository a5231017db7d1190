/** Quoting against exact arithmetic: nothing is created or destroyed beyond the one rounding that is named. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, amount, MAX_MINOR } from '../money/amount.ts';
import { CURRENCIES, type CurrencyCode, currencyOf } from '../money/currencies.ts';
import { type Rational, unitMinor } from '../money/rounding.ts';
import { marginTable } from './margins.ts';
import { outputOf, type Quote, type QuoteRequest, quote, usdValue } from './quote.ts';
import { convert, formatRate, invert, ONE, parseRate, rate } from './rate.ts';
import { mid, type RateSheet } from './sheet.ts';

const PROPERTY_RUNS = 2_000;
const asOf = new Date('2026-11-15T00:00:00Z');
const codes: readonly CurrencyCode[] = CURRENCIES.map((row) => row.code);
const anyCode = fc.constantFrom(...codes);

const anySheet = fc
  .array(fc.tuple(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 8n)), {
    minLength: codes.length,
    maxLength: codes.length,
  })
  .map((parts): RateSheet => {
    const rates = codes.flatMap((code, index) => {
      const [num, den] = parts[index] ?? [1n, 1n];
      return code === 'USD' ? [] : [[code, { rate: rate(num, den), asOf }] as const];
    });
    return { base: 'USD', asOf, sample: true, rates: new Map(rates) };
  });

const anyMargins = fc.integer({ min: 0, max: 9_999 }).map((tenThousandths) => {
  return marginTable({ '*': `0.${tenThousandths.toString().padStart(4, '0')}` });
});

/** Any two or three currencies; where wanted, the requested one is made the input or the output. */
function anyRequest(requestedIn: 'input' | 'output' | 'any'): fc.Arbitrary<QuoteRequest> {
  const parts = fc.record({
    codes: fc.tuple(anyCode, anyCode, anyCode),
    minor: fc.oneof(fc.bigInt(1n, 10_000n), fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, MAX_MINOR)),
    sheet: anySheet,
    margins: anyMargins,
    step: fc.constantFrom(1n, 5n, 50n),
    inputRounding: fc.constantFrom('up' as const, 'cut' as const),
  });
  return parts.map(({ codes: [inputCurrency, outputCurrency, third], minor, step, ...rest }) => {
    const requestedCurrency = { input: inputCurrency, output: outputCurrency, any: third }[requestedIn];
    const outputStepMinor = step * unitMinor(outputCurrency);
    return { requested: amount(minor, requestedCurrency), inputCurrency, outputCurrency, outputStepMinor, ...rest };
  });
}

/** A positive sign: the integer is above the fraction. */
function difference(minor: bigint, exact: Rational): Rational {
  return { num: minor * exact.den - exact.num, den: exact.den };
}

/** The integer is the fraction, rounded by this rule in units of this size, and by nothing else. */
function expectRounded(minor: bigint, exact: Rational, unit: bigint, rule: 'up' | 'cut'): void {
  const { num, den } = difference(minor, exact);
  expect(minor % unit).toBe(0n);
  expect(rule === 'up' ? num >= 0n && num < unit * den : num <= 0n && -num < unit * den).toBe(true);
}

function expectOutputRounded(output: Amount, exact: Rational, stepMinor: bigint): void {
  const unit = unitMinor(output.currency);
  const { rounding } = currencyOf(output.currency);
  if (stepMinor === unit) {
    expectRounded(output.minor, exact, unit, rounding);
    return;
  }
  // Cut to the unit first, then up to the step: above the exact value by less than a step, below by less than a unit.
  const { num, den } = difference(output.minor, exact);
  expect(output.minor % stepMinor).toBe(0n);
  expect(num < stepMinor * den && num > (rounding === 'up' ? -1n : -unit * den)).toBe(true);
}

function check(requests: fc.Arbitrary<QuoteRequest>, property: (made: Quote, request: QuoteRequest) => void): number {
  let quoted = 0;
  fc.assert(
    fc.property(requests, (request) => {
      const answer = quote(request);
      if (!answer.ok) {
        expect(['not_positive', 'too_large']).toContain(answer.refusals[0]?.code);
        return;
      }
      quoted += 1;
      property(answer.value, request);
    }),
    { numRuns: PROPERTY_RUNS },
  );
  return quoted;
}

const stepOf = (request: QuoteRequest) => request.outputStepMinor ?? unitMinor(request.outputCurrency);
/** So that a property is not held by refusals alone. */
const ENOUGH = PROPERTY_RUNS / 4;

describe('a quote, whatever the rates, margins, steps and amounts', () => {
  it('requested in the input currency differs from the exact output by its named rounding only', () => {
    const quoted = check(anyRequest('input'), (made, request) => {
      if (request.inputCurrency === request.outputCurrency) return expect(made.input).toEqual(made.output);
      const { rounding } = currencyOf(request.inputCurrency);
      expectRounded(
        made.requested.minor,
        { num: request.requested.minor, den: 1n },
        unitMinor(request.inputCurrency),
        rounding,
      );
      expect(made.input).toEqual(made.requested);
      expectOutputRounded(made.output, convert(made.input, made.rate, request.outputCurrency), stepOf(request));
    });
    expect(quoted).toBeGreaterThan(ENOUGH);
  });

  it('requested in the output currency takes the least input that buys the output, or the most that is not above it', () => {
    const quoted = check(anyRequest('output'), (made, request) => {
      expectOutputRounded(made.output, { num: made.requested.minor, den: 1n }, stepOf(request));
      expect(made.output.minor >= made.requested.minor).toBe(true);
      const unit = unitMinor(request.inputCurrency);
      const rule = currencyOf(request.inputCurrency).rounding === 'up' ? 'up' : request.inputRounding;
      expectRounded(made.input.minor, convert(made.output, invert(made.rate), request.inputCurrency), unit, rule);
      if (rule === 'cut') return;
      const bought = convert(made.input, made.rate, request.outputCurrency);
      const withLess = convert({ ...made.input, minor: made.input.minor - unit }, made.rate, request.outputCurrency);
      expect(bought.num >= made.output.minor * bought.den).toBe(true);
      expect(withLess.num < made.output.minor * withLess.den).toBe(true);
    });
    expect(quoted).toBeGreaterThan(ENOUGH);
  });

  it('requested in a third currency rounds the input once and the output once', () => {
    const quoted = check(anyRequest('any'), (made, request) => {
      const { requested, inputCurrency, outputCurrency, sheet } = request;
      if ([inputCurrency, outputCurrency].includes(requested.currency) || inputCurrency === outputCurrency) return;
      const requestedRate = mid(sheet, requested.currency, inputCurrency);
      expect(made.requestedRate).toEqual(requestedRate);
      if (requestedRate === undefined) return;
      const rule = currencyOf(inputCurrency).rounding === 'up' ? 'up' : request.inputRounding;
      expectRounded(
        made.input.minor,
        convert(made.requested, requestedRate, inputCurrency),
        unitMinor(inputCurrency),
        rule,
      );
      expectOutputRounded(made.output, convert(made.input, made.rate, outputCurrency), stepOf(request));
    });
    expect(quoted).toBeGreaterThan(ENOUGH);
  });

  it('stores a rate that gives the same output again', () => {
    const quoted = check(anyRequest('input'), (made, request) => {
      const stored = parseRate(formatRate(made.rate));
      expect(stored).toEqual(made.rate);
      expect(outputOf(made.input, stored ?? ONE, request)).toEqual({ ok: true, value: made.output });
    });
    expect(quoted).toBeGreaterThan(ENOUGH);
  });

  it('has amounts above zero, and a value in USD that is the exact one, cut', () => {
    const quoted = check(anyRequest('any'), (made, request) => {
      expect(made.input.minor > 0n && made.output.minor > 0n).toBe(true);
      const toUsd = mid(request.sheet, made.input.currency, 'USD');
      const usd = usdValue(made.input, toUsd);
      if (usd === undefined || toUsd === undefined) return;
      expectRounded(usd.minor, convert(made.input, toUsd, 'USD'), 1n, 'cut');
    });
    expect(quoted).toBeGreaterThan(ENOUGH);
  });
});
