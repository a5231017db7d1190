/** Endpoints 12 and 13: the currencies with their decimal places, and the rates between them. */
import { describe, expect, it } from 'vitest';
import { CURRENCIES, type CurrencyCode } from '../../server/src/money/currencies.ts';
import { putRate } from '../../server/src/rates/in-force.ts';
import { rate } from '../../server/src/rates/rate.ts';
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

describe('in live mode rates that are too old', () => {
  const PUBLIC_URL = 'https://pay.example.com';
  const PATHS = ['/v1/info/currencies/in', '/v1/info/currencies/out', '/info/currencies/out'] as const;
  const HOUR_MS = 3_600_000;

  /** A service whose operator set the euro at noon and the naira an hour later. */
  async function openLive() {
    const { db: own } = await freshDatabase();
    const live = await startApp({ db: own, flags: { mode: 'live', publicUrl: PUBLIC_URL } });
    const { caller: liveCaller } = await live.newAccount();
    const put = (currency: CurrencyCode) =>
      own.inTx((tx) => putRate(tx, { currency, rate: rate(2n, 1n), origin: 'operator' }, live.clock.now()));
    await put('EUR');
    live.clock.advance(HOUR_MS);
    await put('NGN');
    await live.ctx.rates.refresh();
    const ask = (path: string) => liveCaller.get(path, { signedUrl: `${PUBLIC_URL}${path}` });
    const pairsAt = async (path: string) => {
      const shown = (Object((await ask(path)).body).object ?? []) as readonly Shown[];
      return shown.flatMap(({ code, opposites }) => opposites.map((other) => `${code} ${other.code}`)).toSorted();
    };
    const worths = async () => {
      const shown: { code: string; usd_equivalent: string | null }[] = Object(
        (await ask('/v1/info/currencies')).body,
      ).object;
      return shown.flatMap((each) => (each.usd_equivalent === null ? [] : [each.code])).toSorted();
    };
    return { live, ask, pairsAt, worths };
  }

  it('are left out pair by pair, and all of them make the answer 503', async () => {
    const { live, ask, pairsAt, worths } = await openLive();
    const all = ['EUR NGN', 'EUR USD', 'NGN EUR', 'NGN USD', 'USD EUR', 'USD NGN'];
    for (const path of PATHS) expect(await pairsAt(path)).toEqual(all);
    expect(await worths()).toEqual(['EUR', 'NGN', 'USD']);
    live.clock.advance(23 * HOUR_MS);
    for (const path of PATHS) expect(await pairsAt(path)).toEqual(['NGN USD', 'USD NGN']);
    expect(await worths()).toEqual(['NGN', 'USD']);
    live.clock.advance(HOUR_MS);
    for (const path of PATHS) expect(await ask(path)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(await worths()).toEqual(['USD']);
  });

  it('are shown in the sandbox, which quotes at whatever it has', async () => {
    app.clock.advance(1_000 * 24 * HOUR_MS);
    expect((await shownAt('/v1/info/currencies/in')).flatMap(({ opposites }) => opposites)).toHaveLength(pairs.length);
  });
});
