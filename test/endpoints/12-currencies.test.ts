/** Endpoints 12 and 13: the currencies with their decimal places, and the rates between them. */
import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '../../server/src/money/currencies.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout } from '../support/payout.ts';
import { transactionIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();

interface Shown {
  readonly code: string;
  readonly decimals: number;
  readonly opposites: readonly { readonly code: string; readonly rate: number }[];
}

async function shownAt(path: string): Promise<readonly Shown[]> {
  const { status, body } = await caller.get(path);
  expect(status).toBe(200);
  return (body as { object: Shown[] }).object;
}

const CODES = CURRENCIES.map(({ code }) => code);
const pairs = CODES.flatMap((one) => CODES.filter((other) => other !== one).map((other) => `${one} ${other}`));

describe('GET /v1/info/currencies/in', () => {
  it('has a rate for every pair of currencies, also into those that only a balance is paid in', async () => {
    const shown = await shownAt('/v1/info/currencies/in');
    expect(shown.flatMap(({ code, opposites }) => opposites.map((other) => `${code} ${other.code}`))).toEqual(pairs);
    expect(shown.flatMap(({ opposites }) => opposites).filter(({ rate }) => !(rate > 0))).toEqual([]);
  });

  it('has the rates at which payouts are quoted', async () => {
    const usd = (await shownAt('/v1/info/currencies/in')).find(({ code }) => code === 'USD');
    const answer = await caller.post('/v1/transactions/calculate', bodyOfPayout({ amount: 100 }));
    const [recipient] = transactionIn(answer, 200).recipients;
    expect(usd?.opposites.find(({ code }) => code === 'NGN')?.rate).toBe(recipient?.['exchange_rate']);
  });
});

describe.each(['/v1/info/currencies/out', '/info/currencies/out'])('GET %s', (path) => {
  it('has every currency with its decimal places, and the same rates from the other side', async () => {
    const shown = await shownAt(path);
    expect(shown.map(({ code, decimals }) => [code, decimals])).toEqual(
      CURRENCIES.map(({ code, decimals }) => [code, decimals]),
    );
    const rates = new Map((await shownAt('/v1/info/currencies/in')).map((each) => [each.code, each.opposites]));
    for (const { code, opposites } of shown) {
      expect(opposites).toHaveLength(CODES.length - 1);
      for (const { code: from, rate } of opposites) {
        expect([from, code, rates.get(from)?.find((each) => each.code === code)?.rate]).toEqual([from, code, rate]);
      }
    }
  });
});
