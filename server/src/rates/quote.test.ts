import { describe, expect, it } from 'vitest';
import { sheetOf } from '../../../test/support/rate-sheet.ts';
import { BrokenInvariant } from '../kernel/assert.ts';
import type { RefusalCode } from '../kernel/refusal.ts';
import { type Amount, amount, MAX_MINOR } from '../money/amount.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { toDecimalString } from '../money/format.ts';
import { marginTable } from './margins.ts';
import { outputOf, type QuoteRequest, quote, usdValue } from './quote.ts';
import { rate } from './rate.ts';
import { mid, type RateSheet } from './sheet.ts';

const sheet = sheetOf({
  NGN: rate(1_500n, 1n),
  EUR: rate(9n, 10n),
  GBP: rate(8n, 10n),
  XOF: rate(600n, 1n),
  BTC: rate(1n, 50_000n),
});
const NO_MARGINS = marginTable({});

function ask(requested: Amount, pair: [CurrencyCode, CurrencyCode], more: Partial<QuoteRequest> = {}) {
  const [inputCurrency, outputCurrency] = pair;
  const standard = { sheet, margins: NO_MARGINS, inputRounding: 'up' } as const;
  return quote({ requested, inputCurrency, outputCurrency, ...standard, ...more });
}

const show = (value: Amount) => `${toDecimalString(value)} ${value.currency}`;

function shown(...args: Parameters<typeof ask>): string {
  const answer = ask(...args);
  if (!answer.ok) return answer.refusals.map((refusal) => refusal.code).join();
  return `${show(answer.value.input)} buys ${show(answer.value.output)}`;
}

describe('worked examples, one per kind of request', () => {
  it('requested in the input currency: the sender gives 10.01 EUR, the recipient gets what it buys, rounded up', () => {
    // 10.01 EUR x 1500 / 0.9 x 0.985 = 16433.083... NGN
    const margins = marginTable({ 'EUR/NGN': '0.015' });
    const answer = ask(amount(1_001n, 'EUR'), ['EUR', 'NGN'], { margins });
    expect(answer).toEqual({
      ok: true,
      value: {
        requested: amount(1_001n, 'EUR'),
        input: amount(1_001n, 'EUR'),
        output: amount(1_643_400n, 'NGN'),
        rate: rate(4_925n, 3n),
      },
    });
  });

  it('requested in the output currency: the recipient gets 10000 NGN, the sender gives the least that buys it', () => {
    // 10000 NGN / (1500 / 0.9) = 6.00 EUR; less the margin of 1.5 % the sender needs 6.0913... EUR
    const margins = marginTable({ 'EUR/NGN': '0.015' });
    const answer = ask(amount(1_000_000n, 'NGN'), ['EUR', 'NGN'], { margins });
    expect(answer).toEqual({
      ok: true,
      value: {
        requested: amount(1_000_000n, 'NGN'),
        input: amount(610n, 'EUR'),
        output: amount(1_000_000n, 'NGN'),
        rate: rate(4_925n, 3n),
      },
    });
  });

  it('requested in a third currency: 10.01 USD become the input at mid, the input becomes the output', () => {
    // 10.01 USD x 0.9 = 9.009 EUR, up to 9.01; 9.01 EUR x 1500 / 0.9 x 0.985 = 14791.41... NGN, up to 14792
    const margins = marginTable({ 'EUR/NGN': '0.015', '*': '0.5' });
    const answer = ask(amount(1_001n, 'USD'), ['EUR', 'NGN'], { margins });
    expect(answer).toEqual({
      ok: true,
      value: {
        requested: amount(1_001n, 'USD'),
        input: amount(901n, 'EUR'),
        output: amount(1_479_200n, 'NGN'),
        rate: rate(4_925n, 3n),
        requestedRate: rate(9n, 10n),
      },
    });
  });

  it('requested, input and output in one currency: the rate is exactly 1, whatever the margin', () => {
    const margins = marginTable({ '*': '0.1' });
    const requested = amount(1_001n, 'EUR');
    const value = { requested, input: requested, output: requested, rate: rate(1n, 1n) };
    expect(ask(requested, ['EUR', 'EUR'], { margins })).toEqual({ ok: true, value });
  });
});

describe('rounding in a quote', () => {
  it.each<[string, string, ...Parameters<typeof ask>]>([
    ['cuts the output of a currency that is cut', '10.01 USD buys 9.00 EUR', amount(1_001n, 'USD'), ['USD', 'EUR']],
    ['takes a computed input up', '11.13 USD buys 10.01 EUR', amount(1_001n, 'EUR'), ['USD', 'EUR']],
    [
      'cuts a computed input where that is set',
      '11.12 USD buys 10.01 EUR',
      amount(1_001n, 'EUR'),
      ['USD', 'EUR'],
      { inputRounding: 'cut' },
    ],
    [
      'takes an input up whose currency goes up, even where cutting is set',
      '16684.00 NGN buys 10.01 EUR',
      amount(1_001n, 'EUR'),
      ['NGN', 'EUR'],
      { inputRounding: 'cut' },
    ],
    ['rounds the requested amount first', '101.00 NGN buys 0.06 EUR', amount(10_001n, 'NGN'), ['NGN', 'EUR']],
    [
      'raises an output that the sender determined to the step',
      '1.01 USD buys 610 XOF',
      amount(101n, 'USD'),
      ['USD', 'XOF'],
      { outputStepMinor: 5n },
    ],
    [
      'leaves an output on the step alone',
      '1.00 USD buys 600 XOF',
      amount(100n, 'USD'),
      ['USD', 'XOF'],
      { outputStepMinor: 5n },
    ],
    [
      'raises a requested output to the step before the input is computed',
      '0.18 USD buys 105 XOF',
      amount(102n, 'XOF'),
      ['USD', 'XOF'],
      { outputStepMinor: 5n },
    ],
    [
      'raises both amounts to the step within one currency',
      '105 XOF buys 105 XOF',
      amount(102n, 'XOF'),
      ['XOF', 'XOF'],
      { outputStepMinor: 5n },
    ],
    [
      'raises both amounts to the step within one currency, also from a third',
      '610 XOF buys 610 XOF',
      amount(101n, 'USD'),
      ['XOF', 'XOF'],
      { outputStepMinor: 5n },
    ],
  ])('%s: %s', (_rule, expected, ...args) => {
    expect(shown(...args)).toBe(expected);
  });

  it('has no step that is made of subunits which cannot be paid out', () => {
    expect(() => ask(amount(100n, 'USD'), ['USD', 'NGN'], { outputStepMinor: 50n })).toThrow(BrokenInvariant);
  });
});

describe('a quote is refused', () => {
  it.each<[RefusalCode, string, ...Parameters<typeof ask>]>([
    ['rate_unavailable', 'the output currency has no rate', amount(100n, 'USD'), ['USD', 'GHS']],
    ['rate_unavailable', 'the input currency has no rate', amount(100n, 'USD'), ['GHS', 'USD']],
    ['rate_unavailable', 'the third currency has no rate', amount(100n, 'GHS'), ['USD', 'NGN']],
    ['not_positive', 'the output is cut to nothing', amount(1n, 'NGN'), ['NGN', 'BTC'], { sheet: cheapBitcoinLess() }],
    ['not_positive', 'the input is cut to nothing', amount(1n, 'XOF'), ['USD', 'XOF'], { inputRounding: 'cut' }],
    ['not_positive', 'nothing was requested', amount(0n, 'USD'), ['USD', 'NGN']],
    ['too_large', 'the output has more than 15 digits', amount(MAX_MINOR, 'USD'), ['USD', 'NGN']],
    ['too_large', 'the input has more than 15 digits', amount(MAX_MINOR, 'BTC'), ['NGN', 'BTC']],
    ['too_large', 'the input from a third currency has more than 15 digits', amount(MAX_MINOR, 'GBP'), ['NGN', 'EUR']],
    ['too_large', 'the requested amount is rounded beyond the bound', amount(MAX_MINOR, 'NGN'), ['NGN', 'EUR']],
    ['too_large', 'the step leads beyond the bound', amount(MAX_MINOR, 'XOF'), ['USD', 'XOF'], { outputStepMinor: 5n }],
  ])('as %s when %s', (code, _why, ...args) => {
    expect(ask(...args)).toEqual({ ok: false, refusals: [{ code, path: [] }] });
  });

  it('never for want of a rate within one currency', () => {
    expect(shown(amount(100n, 'GHS'), ['GHS', 'GHS'])).toBe('1.00 GHS buys 1.00 GHS');
  });
});

describe('what an amount buys at a stored rate', () => {
  it('counts subunits that came in', () => {
    const received = amount(10_050n, 'KES');
    expect(outputOf(received, rate(1n, 100n), { outputCurrency: 'USD' })).toEqual({
      ok: true,
      value: amount(100n, 'USD'),
    });
    expect(outputOf(received, rate(1n, 1n), { outputCurrency: 'XOF', outputStepMinor: 5n })).toEqual({
      ok: true,
      value: amount(105n, 'XOF'),
    });
  });
});

describe('the value in USD', () => {
  it.each([
    [amount(1_001n, 'EUR'), amount(1_112n, 'USD')],
    [amount(1_234n, 'USD'), amount(1_234n, 'USD')],
    [amount(1n, 'XOF'), amount(0n, 'USD')],
  ])('of %o is at the mid rate, cut: %o', (input, expected) => {
    expect(usdValue(input, mid(sheet, input.currency, 'USD'))).toEqual(expected);
  });

  it('is not known without a rate, nor beyond the largest amount', () => {
    expect(usdValue(amount(100n, 'GHS'), undefined)).toBeUndefined();
    expect(usdValue(amount(MAX_MINOR, 'GBP'), mid(sheet, 'GBP', 'USD'))).toBeUndefined();
  });
});

/** A sheet on which a naira buys less than the smallest part of a bitcoin. */
function cheapBitcoinLess(): RateSheet {
  return { ...sheet, rates: new Map([...sheet.rates, ['BTC', { rate: rate(1n, 10_000_000n), asOf: sheet.asOf }]]) };
}
