import { describe, expect, it } from 'vitest';
import { balanceViews, isPartnerName } from './balance-view.ts';

describe('a balance', () => {
  it.each([
    ['USD', 75_000n, 750],
    ['USD', 42n, 0.42],
    ['USD', -5n, -0.05],
    ['XOF', 1_500n, 1_500],
    ['NGN', 29_475_000n, 294_750],
    ['EUR', 0n, 0],
    ['BTC', 1n, 1e-8],
    ['GBP', 999_999_999_999_999n, 9_999_999_999_999.99],
  ])('in %s of %s minor units is shown as %s', (currency, minor, shown) => {
    expect(balanceViews([{ currency, minor }], new Map())).toEqual([{ amount: shown, currency }]);
  });

  it('under the name of a partner also tells what is left after the transactions that wait', () => {
    const rows = [
      { currency: 'USD', minor: 10_000n },
      { currency: 'USD::Partner', minor: 10_000n },
      { currency: 'EUR::Partner', minor: 5_000n },
    ];
    const pending = new Map([
      ['USD', 1n],
      ['USD::Partner', 2_550n],
    ]);
    expect(balanceViews(rows, pending)).toEqual([
      { amount: 100, currency: 'USD' },
      { amount: 100, currency: 'USD::Partner', amount_after_pending: 74.5 },
      { amount: 50, currency: 'EUR::Partner', amount_after_pending: 50 },
    ]);
    expect(['USD', 'USD::Partner'].map(isPartnerName)).toEqual([false, true]);
  });

  it('stays an amount however much waits to be funded', () => {
    const rows = [{ currency: 'USD::Partner', minor: -999_999_999_999_999n }];
    const [view] = balanceViews(rows, new Map([['USD::Partner', 999_999_999_999_999n]]));
    expect(view).toMatchObject({ amount_after_pending: -9_999_999_999_999.99 });
  });

  it('in a currency that the service does not know is a broken invariant', () => {
    expect(() => balanceViews([{ currency: 'usd', minor: 1n }], new Map())).toThrow('known currencies');
  });
});
