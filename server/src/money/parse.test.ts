import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RefusalCode } from '../kernel/refusal.ts';
import { MAX_MINOR } from './amount.ts';
import { CURRENCIES, type CurrencyCode } from './currencies.ts';
import { MAX_DECIMAL_CHARS, parseAmount, parseExactAmount, parseExactDecimal, parseReceivedAmount } from './parse.ts';

const PROPERTY_RUNS = 1_000;
const anyCurrency = fc.constantFrom(...CURRENCIES.map((row) => row.code));

const accepts = (minor: bigint, currency: CurrencyCode) => ({ ok: true, value: { minor, currency } });
const refuses = (code: RefusalCode) => ({ ok: false, refusals: [{ code, path: [] }] });

describe('an amount that a caller asks for', () => {
  it.each<[unknown, CurrencyCode, bigint]>([
    ['10.10', 'USD', 1_010n],
    [10.1, 'USD', 1_010n],
    ['10.1', 'USD', 1_010n],
    [1e2, 'USD', 10_000n],
    ['1e2', 'USD', 10_000n],
    ['1.5E+3', 'USD', 150_000n],
    ['25e-1', 'USD', 250n],
    ['+7', 'USD', 700n],
    ['007', 'USD', 700n],
    [0.29, 'USD', 29n],
    [1.005, 'USD', 100n],
    [0.07, 'USD', 7n],
    ['2000.0', 'EUR', 200_000n],
    ['100', 'NGN', 10_000n],
    [1500, 'JPY', 1_500n],
    ['0.00000001', 'BTC', 1n],
    [1e-8, 'BTC', 1n],
    [9999999999999.99, 'USD', MAX_MINOR],
    ['9999999999999.99', 'USD', MAX_MINOR],
    [999999999999999, 'UGX', MAX_MINOR],
  ])('%o in %s is %i minor units', (input, currency, minor) => {
    expect(parseAmount(input, currency)).toEqual(accepts(minor, currency));
  });

  it.each<[unknown, CurrencyCode, bigint]>([
    ['2001.7557', 'USD', 200_175n],
    ['0.019', 'USD', 1n],
    ['6457.08', 'NGN', 645_800n],
    ['0.001', 'NGN', 100n],
    [0.5, 'KES', 100n],
    ['100.000000000000000000000000001', 'XOF', 101n],
    ['100.999', 'JPY', 100n],
    ['100.9', 'GNF', 100n],
    ['12345678.1234567890123456789012', 'USD', 1_234_567_812n],
    ['1e-300', 'UGX', 1n],
  ])(
    '%o in %s has its extra digits rounded by the rule of the currency, to %i minor units',
    (input, currency, minor) => {
      expect(parseAmount(input, currency)).toEqual(accepts(minor, currency));
    },
  );

  it.each<[unknown, CurrencyCode, RefusalCode]>([
    [undefined, 'USD', 'blank'],
    [null, 'USD', 'blank'],
    ['', 'USD', 'blank'],
    [' ', 'USD', 'not_a_number'],
    [' 10', 'USD', 'not_a_number'],
    ['10\n', 'USD', 'not_a_number'],
    ['ten', 'USD', 'not_a_number'],
    ['1,000.00', 'USD', 'not_a_number'],
    ['1.2.3', 'USD', 'not_a_number'],
    ['.5', 'USD', 'not_a_number'],
    ['5.', 'USD', 'not_a_number'],
    ['--5', 'USD', 'not_a_number'],
    ['0x10', 'USD', 'not_a_number'],
    ['1_000', 'USD', 'not_a_number'],
    ['1e', 'USD', 'not_a_number'],
    ['1e1000', 'USD', 'not_a_number'],
    ['1e999999999', 'USD', 'not_a_number'],
    ['NaN', 'USD', 'not_a_number'],
    ['Infinity', 'USD', 'not_a_number'],
    ['１０', 'USD', 'not_a_number'],
    [Number.NaN, 'USD', 'not_a_number'],
    [Number.POSITIVE_INFINITY, 'USD', 'not_a_number'],
    [true, 'USD', 'not_a_number'],
    [{}, 'USD', 'not_a_number'],
    [['10'], 'USD', 'not_a_number'],
    [10n, 'USD', 'not_a_number'],
    [0, 'USD', 'not_positive'],
    [-0, 'USD', 'not_positive'],
    ['0.00', 'NGN', 'not_positive'],
    ['0e999', 'USD', 'not_positive'],
    [-1, 'USD', 'not_positive'],
    ['-0.001', 'NGN', 'not_positive'],
    ['0.009', 'USD', 'not_positive'],
    ['0.9', 'JPY', 'not_positive'],
    [5e-324, 'USD', 'not_positive'],
    [1.234567890123456, 'USD', 'too_many_digits'],
    [0.1 + 0.2, 'USD', 'too_many_digits'],
    [Number('12345678901234567890'), 'USD', 'too_many_digits'],
    ['10000000000000', 'USD', 'too_large'],
    [1e13, 'USD', 'too_large'],
    [1e300, 'USD', 'too_large'],
    ['1e999', 'USD', 'too_large'],
    ['123456789012345678901234567890', 'USD', 'too_large'],
    ['9999999999999.01', 'NGN', 'too_large'],
    ['1000000000000000', 'UGX', 'too_large'],
    [`1.${'0'.repeat(MAX_DECIMAL_CHARS)}`, 'USD', 'too_large'],
  ])('%o in %s is refused as %s', (input, currency, code) => {
    expect(parseAmount(input, currency), code).toEqual(refuses(code));
  });

  it('may be as long as the bound on the text', () => {
    const longest = `1.${'0'.repeat(MAX_DECIMAL_CHARS - 2)}`;
    expect(longest).toHaveLength(MAX_DECIMAL_CHARS);
    expect(parseAmount(longest, 'USD')).toEqual(accepts(100n, 'USD'));
  });
});

describe('an amount that has arrived', () => {
  it.each<[unknown, CurrencyCode, bigint]>([
    ['100.50', 'KES', 10_050n],
    ['100.509', 'KES', 10_050n],
    ['0.99', 'NGN', 99n],
    ['10.999', 'USD', 1_099n],
  ])('%o in %s keeps its subunits and nothing is made up: %i minor units', (input, currency, minor) => {
    expect(parseReceivedAmount(input, currency)).toEqual(accepts(minor, currency));
  });

  it('is refused by the same names', () => {
    expect(parseReceivedAmount('0.009', 'NGN')).toEqual(refuses('not_positive'));
    expect(parseReceivedAmount('', 'NGN')).toEqual(refuses('blank'));
  });
});

describe('an amount that an operator gives', () => {
  it.each<[unknown, CurrencyCode, bigint]>([
    ['12.34', 'USD', 1_234n],
    ['12.340000', 'USD', 1_234n],
    [1e3, 'USD', 100_000n],
    ['0.99', 'NGN', 99n],
    ['10000.0', 'XOF', 10_000n],
  ])('%o in %s is %i minor units, to the last digit', (input, currency, minor) => {
    expect(parseExactAmount(input, currency)).toEqual(accepts(minor, currency));
  });

  it.each<[unknown, CurrencyCode, RefusalCode]>([
    ['12.345', 'USD', 'too_many_decimals'],
    [12.345, 'USD', 'too_many_decimals'],
    ['10000.9', 'XOF', 'too_many_decimals'],
    ['0.001', 'USD', 'too_many_decimals'],
    [1e-300, 'UGX', 'too_many_decimals'],
    ['0.00', 'USD', 'not_positive'],
    ['-12.345', 'USD', 'not_positive'],
    ['', 'USD', 'blank'],
  ])('%o in %s is refused as %s', (input, currency, code) => {
    expect(parseExactAmount(input, currency)).toEqual(refuses(code));
  });

  it.each(['1e3', '1E+3', '1234e-2'])('%s is no number that a person would type', (input) => {
    expect(parseExactAmount(input, 'USD')).toEqual(refuses('not_a_number'));
    expect(parseAmount(input, 'USD').ok).toBe(true);
  });
});

describe('an exact decimal', () => {
  it('keeps its sign and all its digits', () => {
    expect(parseExactDecimal('-1.50')).toEqual({ num: -150n, den: 100n });
    expect(parseExactDecimal('15e2')).toEqual({ num: 1500n, den: 1n });
    expect(parseExactDecimal('0.015')).toEqual({ num: 15n, den: 1000n });
    expect(parseExactDecimal('a')).toBeUndefined();
    expect(parseExactDecimal('1'.repeat(MAX_DECIMAL_CHARS + 1))).toBeUndefined();
  });
});

describe('whatever JSON value arrives', () => {
  it('is either an amount in bounds or refused by a name, and never a fault', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.double(), fc.string(), numberLikeText),
        anyCurrency,
        (input, currency) => {
          for (const parse of [parseAmount, parseReceivedAmount, parseExactAmount]) {
            const parsed = parse(input, currency);
            if (parsed.ok) expect(parsed.value.minor > 0n && parsed.value.minor <= MAX_MINOR).toBe(true);
            else expect(parsed.refusals).toHaveLength(1);
          }
        },
      ),
      { numRuns: 5 * PROPERTY_RUNS },
    );
  });
});

/** Text made of the characters that numbers are made of: most of it is almost a number. */
const numberLikeText = fc
  .array(fc.constantFrom(...'0123456789.eE+-'), { maxLength: MAX_DECIMAL_CHARS + 2 })
  .map((characters) => characters.join(''));
