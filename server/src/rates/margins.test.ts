import { describe, expect, it } from 'vitest';
import { sheetOf } from '../../../test/support/rate-sheet.ts';
import { marginOf, marginTable, quoted } from './margins.ts';
import { rate } from './rate.ts';
import { RateDataInvalid } from './sheet.ts';

const sheet = sheetOf({ NGN: rate(1_500n, 1n), EUR: rate(9n, 10n) });
const margins = marginTable({ 'USD/NGN': '0.015', '*': '0.02' });

describe('the margin', () => {
  it('is that of the pair in this direction, otherwise that of all others', () => {
    expect(marginOf(margins, 'USD', 'NGN').text).toBe('0.015');
    expect(marginOf(margins, 'NGN', 'USD').text).toBe('0.02');
    expect(marginOf(margins, 'EUR', 'NGN').text).toBe('0.02');
  });

  it('is zero when none is set', () => {
    expect(marginOf(marginTable({}), 'USD', 'NGN')).toEqual({ text: '0', kept: rate(1n, 1n) });
  });

  it('is zero within one currency, whatever is set', () => {
    expect(marginOf(margins, 'NGN', 'NGN').text).toBe('0');
    expect(quoted(sheet, margins, 'NGN', 'NGN')).toEqual(rate(1n, 1n));
  });

  it('has all its mistakes told, each with its pair', () => {
    const written = {
      'USD/NGN': '1',
      'EUR/NGN': '-0.1',
      'USD/ABC': '0',
      USD: '0',
      'USD/USD': '0',
      'A/B/C': '0',
      '*': 'x',
    };
    const mistakes = [
      'USD/NGN: "1" is not a fraction from 0 to below 1',
      'EUR/NGN: "-0.1" is not a fraction from 0 to below 1',
      'USD/ABC is neither a pair of two currencies of the service nor *',
      'USD is neither a pair of two currencies of the service nor *',
      'USD/USD is neither a pair of two currencies of the service nor *',
      'A/B/C is neither a pair of two currencies of the service nor *',
      '*: "x" is not a fraction from 0 to below 1',
    ];
    expect(() => marginTable(written)).toThrow(RateDataInvalid);
    expect(() => marginTable(written)).toThrow(mistakes.join('; '));
  });

  it('has a bound on its digits', () => {
    expect(() => marginTable({ '*': '1e-29' })).not.toThrow();
    expect(() => marginTable({ '*': '1e-30' })).toThrow(RateDataInvalid);
  });
});

describe('the quoted rate', () => {
  it('is the mid rate less the margin, exact', () => {
    expect(quoted(sheet, margins, 'USD', 'NGN')).toEqual(rate(1_500n * 985n, 1_000n));
    expect(quoted(sheet, margins, 'EUR', 'NGN')).toEqual(rate(5_000n * 98n, 300n));
  });

  it('does not exist without a mid rate', () => {
    expect(quoted(sheet, margins, 'USD', 'GHS')).toBeUndefined();
  });
});
