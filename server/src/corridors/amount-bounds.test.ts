import { describe, expect, it } from 'vitest';
import type { CurrencyCode } from '../money/currencies.ts';
import { amountBounds } from './amount-bounds.ts';
import { loadCatalogue } from './catalogue.ts';
import { CatalogueInvalid, mistakeLine } from './mistakes.ts';

const catalogue = loadCatalogue();
const bounds = amountBounds(
  { minimumAmounts: { 'NGN::Bank': '1000', 'USD::Bank': '0.50' }, maximumAmounts: { 'NGN::Bank': '2000' } },
  catalogue,
);

describe('the amounts of a corridor', () => {
  it.each<[string, CurrencyCode, bigint, string[]]>([
    ['NGN::Bank', 'NGN', 99_999n, ['below_minimum']],
    ['NGN::Bank', 'NGN', 100_000n, []],
    ['NGN::Bank', 'NGN', 200_000n, []],
    ['NGN::Bank', 'NGN', 200_001n, ['above_maximum']],
    ['USD::Bank', 'USD', 49n, ['below_minimum']],
    ['USD::Bank', 'USD', 50n, []],
    ['USD::Bank', 'USD', 10n ** 14n, []],
    ['GHS::Bank', 'GHS', 1n, []],
  ])('%s with %s and %i minor units: %j', (type, currency, minor, codes) => {
    expect(bounds.refusals(type, { currency, minor }).map(({ code }) => code)).toEqual(codes);
  });

  it('are told by the refusal, because no field shows them', () => {
    const says = (minor: bigint) => bounds.refusals('NGN::Bank', { currency: 'NGN', minor }).map((one) => one.says);
    expect([says(1n), says(200_001n)]).toEqual([['1000.00 NGN'], ['2000.00 NGN']]);
  });

  it('are not bounded unless an operator says so', () => {
    const none = amountBounds({ minimumAmounts: {}, maximumAmounts: {} }, catalogue);
    expect(none.refusals('NGN::Bank', { currency: 'NGN', minor: 1n })).toEqual([]);
    expect(none.of('NGN::Bank')).toEqual({ least: null, largest: null });
  });

  it('are told all at once when they cannot be', () => {
    const written = {
      // Rounded, a bound would not be the one that its operator wrote.
      minimumAmounts: { 'NGN::Bonk': '1', 'GHS::Bank': '11', 'KES::Bank': '0', 'USD::Bank': '1e3' },
      maximumAmounts: { 'GHS::Bank': '10', BTC: '99999999999999999', 'USD::Bank': '1000.001' },
    };
    const fault = caught(() => amountBounds(written, catalogue));
    expect(fault.mistakes.map((mistake) => mistakeLine(mistake).trim())).toEqual([
      'corridors.minimum_amounts: NGN::Bonk is not a payout type of the service',
      'corridors.minimum_amounts: KES::Bank is not an amount',
      'corridors.minimum_amounts: USD::Bank is not an amount',
      'corridors.maximum_amounts: BTC is not an amount',
      'corridors.maximum_amounts: USD::Bank is not an amount',
      'corridors.minimum_amounts: GHS::Bank is above the largest amount of the type',
    ]);
  });
});

function caught(run: () => unknown): CatalogueInvalid {
  try {
    run();
  } catch (fault) {
    if (fault instanceof CatalogueInvalid) return fault;
  }
  throw new Error('nothing was refused');
}
