/**
 * What a caller reads of a currency and of a rate, figure by figure: nothing else on the wire says what a margin takes.
 */
import { describe, expect, it } from 'vitest';
import { sheetOf } from '../../../test/support/rate-sheet.ts';
import { viewCurrency, viewInputs, viewOutputs } from './currency-view.ts';
import { marginTable } from './margins.ts';
import { rate } from './rate.ts';

const sheet = sheetOf({ NGN: rate(1_500n, 1n), EUR: rate(4n, 5n) });
const margins = marginTable({ 'USD/NGN': '0.015', '*': '0.02' });

describe('a currency', () => {
  it.each([
    ['USD', { decimals: 2, subunit_to_unit: '100', min: '0.01', max: '9999999999999.99', usd_equivalent: '1' }],
    ['EUR', { decimals: 2, subunit_to_unit: '100', min: '0.01', max: '9999999999999.99', usd_equivalent: '1.25' }],
    // Has kobo in the books, and is asked for and paid out in whole naira.
    ['NGN', { decimals: 0, subunit_to_unit: '100', min: '1.00', max: '9999999999999.00' }],
    ['XOF', { decimals: 0, subunit_to_unit: '1', min: '1', max: '999999999999999', usd_equivalent: null }],
  ] as const)('%s has its smallest and its largest amount, and its worth where there is a rate', (code, figures) => {
    expect(viewCurrency(code, sheet)).toMatchObject({ code, ...figures });
  });
});

describe('a rate', () => {
  const exchange = { sheet, margins, outputs: new Set(['NGN', 'USD'] as const) };
  const pair = (shown: ReturnType<typeof viewInputs>, code: string, other: string) =>
    shown.find((each) => each.code === code)?.opposites.find((each) => each.code === other);
  const ofMargin = { rate: 1_477.5, mtm_rate: 1_500, margin: '0.015' };

  it('is the one at mid less the margin of the pair, from whichever side it is shown', () => {
    expect(pair(viewInputs(exchange), 'USD', 'NGN')).toMatchObject(ofMargin);
    expect(pair(viewOutputs(exchange), 'NGN', 'USD')).toMatchObject(ofMargin);
    expect(pair(viewInputs(exchange), 'EUR', 'USD')).toMatchObject({ rate: 1.225, mtm_rate: 1.25, margin: '0.02' });
  });

  it('is shown only into currencies in which somebody can be paid, and not into the currency itself', () => {
    const pairs = viewInputs(exchange).flatMap(({ code, opposites }) =>
      opposites.map((other) => `${code} ${other.code}`),
    );
    expect(pairs).toEqual(['EUR USD', 'EUR NGN', 'USD NGN', 'NGN USD']);
    expect(viewOutputs(exchange).map(({ code }) => code)).toEqual(['USD', 'NGN']);
  });
});
