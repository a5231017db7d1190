/** The table of mid rates: the newest word for each currency wins, and a rate comes back exactly as it was. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { present } from '../kernel/assert.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { parseRate, rate, rateFromDecimal } from './rate.ts';
import { lockStoredRate, readStoredRates, storeNewerRates } from './store.ts';
import { exactText, type StoredRate } from './stored-rate.ts';

const { db } = await freshDatabase();
const AT = new Date('2026-11-16T09:00:00.000Z');

function stored(currency: CurrencyCode, value: string, asOf: string, origin = 'file'): StoredRate {
  const read = present(rateFromDecimal(value) ?? parseRate(value), value);
  return { currency, rate: read, asOf: new Date(asOf), origin };
}

const store = (...rates: StoredRate[]) => db.inTx((tx) => storeNewerRates(tx, rates, AT));
const find = (currency: CurrencyCode) => db.inTx((tx) => lockStoredRate(tx, currency));

describe('stored rates', () => {
  it('a newer rate replaces an older one, and an older or equally old one changes nothing', async () => {
    expect(await store(stored('NGN', '1500', '2026-11-16T08:00:00Z'))).toEqual(['NGN']);
    expect(await store(stored('NGN', '1400', '2026-11-16T07:59:59.999Z'))).toEqual([]);
    expect(await store(stored('NGN', '1300', '2026-11-16T08:00:00Z'))).toEqual([]);
    expect(await find('NGN')).toEqual(stored('NGN', '1500', '2026-11-16T08:00:00Z'));
    expect(await store(stored('NGN', '1600', '2026-11-16T08:00:00.001Z', 'operator ada'))).toEqual(['NGN']);
    expect(await find('NGN')).toMatchObject({ origin: 'operator ada' });
  });

  it('a rate of somebody’s own replaces a sample whatever its date, and a sample never replaces it', async () => {
    await store(stored('KES', '129', '2026-11-16T08:00:00Z', 'sample'));
    expect(await store(stored('KES', '130', '2020-01-01T00:00:00Z'))).toEqual(['KES']);
    expect(await store(stored('KES', '129', '2036-01-01T00:00:00Z', 'sample'))).toEqual([]);
    expect(await find('KES')).toEqual(stored('KES', '130', '2020-01-01T00:00:00Z'));
  });

  it('each currency is decided for itself', async () => {
    await store(stored('EUR', '0.9', '2026-11-16T08:00:00Z'), stored('GBP', '0.8', '2026-11-16T06:00:00Z'));
    const offered = [stored('GBP', '0.7', '2026-11-16T07:00:00Z'), stored('EUR', '1.1', '2026-11-16T07:00:00Z')];
    expect(await store(...offered)).toEqual(['GBP']);
    const rates = await db.inTx((tx) => readStoredRates(tx));
    expect(
      rates.filter(({ currency }) => currency === 'EUR' || currency === 'GBP').map((each) => exactText(each.rate)),
    ).toEqual(['0.9', '0.7']);
  });

  it('storing nothing is allowed', async () => {
    expect(await store()).toEqual([]);
  });

  it('a rate that is no decimal is stored as a fraction and comes back exactly', async () => {
    await store(stored('XOF', '1/3', '2026-11-16T08:00:00Z'));
    expect((await find('XOF'))?.rate).toEqual({ num: 1n, den: 3n });
  });

  it('a rate whose decimal would be too long to be read is stored as a fraction, and the others are still found', async () => {
    const long = { ...stored('ZMW', '1', '2026-11-16T08:00:00Z'), rate: rate(5n ** 30n, 2n ** 69n) };
    await store(long);
    expect((await find('ZMW'))?.rate).toEqual(long.rate);
    expect((await db.inTx((tx) => readStoredRates(tx))).length).toBeGreaterThan(1);
  });

  it('processes that store the same sheet at the same moment do not get into each other’s way', async () => {
    const sheet = (['AED', 'CAD', 'CHF', 'CNY'] as const).map((code) => stored(code, '2', '2026-11-16T08:00:00Z'));
    const results = await Promise.all([store(...sheet), store(...[...sheet].reverse()), store(...sheet)]);
    expect(results.flat().sort()).toEqual(['AED', 'CAD', 'CHF', 'CNY']);
  });
});

describe('the text of a rate', () => {
  it.each([
    ['1525.40', '1525.4'],
    ['0.000015', '0.000015'],
    ['25000', '25000'],
    ['1e-20', '0.00000000000000000001'],
    ['1/3', '1/3'],
    ['1/8', '0.125'],
  ])('%s is written %s', (value, text) => {
    expect(exactText(present(rateFromDecimal(value) ?? parseRate(value), value))).toBe(text);
  });

  it('gives back the same rate, whatever the rate is', () => {
    const part = fc.bigInt({ min: 1n, max: 10n ** 30n - 1n });
    fc.assert(
      fc.property(part, part, (num, den) => {
        const value = rate(num, den);
        const text = exactText(value);
        expect(rateFromDecimal(text) ?? parseRate(text)).toEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives back the same rate for decimals, which are written as decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 25n }), fc.nat(25), (digits, places) => {
        const value = rate(digits, 10n ** BigInt(places));
        const text = exactText(value);
        expect(text).not.toContain('/');
        expect(rateFromDecimal(text)).toEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });
});
