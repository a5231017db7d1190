/**
 * Endpoint 1, amounts. Worked by hand from the sample rates: one US dollar is 1525.40 NGN, 603.48 XOF, 0.92 EUR and
 * 0.79 GBP. Exchange is always input to output.
 */
import { describe, expect, it } from 'vitest';
import { putRate } from '../../server/src/rates/in-force.ts';
import { rate } from '../../server/src/rates/rate.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout, OBI, type PayoutWish } from '../support/payout.ts';
import { countRows, difference } from '../support/rows.ts';
import { create, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const DAY_MS = 86_400_000;
const { caller } = await app.newAccount();

const IBAN = { type: 'EUR::Bank', details: { first_name: 'Eva', last_name: 'X', iban: 'DE89370400440532013000' } };
const MOBILE = { first_name: 'Awa', last_name: 'Example', phone_number: '+2250707070707' };
const ABIDJAN = { type: 'XOF::Mobile', details: { ...MOBILE, country: 'CI', mobile_provider: 'orange' } };
const ABIDJAN_MTN = { type: 'XOF::Mobile', details: { ...MOBILE, country: 'CI', mobile_provider: 'mtn' } };

/** `requested -> input -> output (value in dollars)`, each with its currency. */
async function amounts(wish: PayoutWish): Promise<string> {
  const { recipients, input_amount: total } = await create(caller, wish);
  const [recipient] = recipients;
  expect(total).toBe(recipient?.input_amount);
  const show = (name: string) => `${recipient?.[`${name}_amount`]} ${recipient?.[`${name}_currency`]}`;
  return `${show('requested')} -> ${show('input')} -> ${show('output')} (${recipient?.input_usd_amount})`;
}

describe('worked examples', () => {
  it.each<[string, PayoutWish, string]>([
    [
      'in the input currency: 10.01 EUR x 1525.40 / 0.92 = 16597.01..., and kobo are not paid out',
      { amount: '10.01', requestedCurrency: 'EUR', inputCurrency: 'EUR' },
      '10.01 EUR -> 10.01 EUR -> 16598 NGN (10.88)',
    ],
    [
      'in the output currency: 50000 NGN / 1525.40 = 32.778..., and what was asked for has to be covered',
      { amount: 50_000, requestedCurrency: 'NGN' },
      '50000 NGN -> 32.78 USD -> 50000 NGN (32.78)',
    ],
    [
      'in a third currency: 100 GBP x 0.92 / 0.79 = 116.455... EUR, which buy 193095.74... NGN',
      { amount: 100, requestedCurrency: 'GBP', inputCurrency: 'EUR' },
      '100 GBP -> 116.46 EUR -> 193096 NGN (126.58)',
    ],
    [
      'in a third currency without decimals: 1000 JPY / 150 = 6.666... USD, which buy 10174.41... NGN',
      { amount: 1_000, requestedCurrency: 'JPY' },
      '1000 JPY -> 6.67 USD -> 10175 NGN (6.67)',
    ],
    [
      'to a currency with decimals: 10 GBP x 0.92 / 0.79 = 11.645... EUR, cut',
      { amount: 10, requestedCurrency: 'GBP', inputCurrency: 'GBP', recipient: { payout_method: IBAN } },
      '10 GBP -> 10 GBP -> 11.64 EUR (12.65)',
    ],
    [
      'to an operator that pays in fives: 11 USD x 603.48 = 6638.28 XOF',
      { amount: 11, recipient: { payout_method: ABIDJAN } },
      '11 USD -> 11 USD -> 6640 XOF (11)',
    ],
    [
      'to one that does not',
      { amount: 11, recipient: { payout_method: ABIDJAN_MTN } },
      '11 USD -> 11 USD -> 6639 XOF (11)',
    ],
    [
      'in fives asked for by output: 6638 XOF become 6640, which cost 11.0028... USD',
      { amount: 6_638, requestedCurrency: 'XOF', recipient: { payout_method: ABIDJAN } },
      '6638 XOF -> 11.01 USD -> 6640 XOF (11.01)',
    ],
  ])('%s', async (_, wish, expected) => {
    expect(await amounts(wish)).toBe(expected);
  });
});

describe('how an amount may be written', () => {
  it.each<[string, string | number, string, string]>([
    ['a JSON number', 10.5, 'USD', '10.5 USD -> 10.5 USD -> 16017 NGN (10.5)'],
    ['a decimal string', '10.50', 'USD', '10.5 USD -> 10.5 USD -> 16017 NGN (10.5)'],
    ['an exponent', '105e-1', 'USD', '10.5 USD -> 10.5 USD -> 16017 NGN (10.5)'],
    ['dollars with a third decimal are cut', '10.019', 'USD', '10.01 USD -> 10.01 USD -> 15270 NGN (10.01)'],
    ['naira with decimals go up', '1000.01', 'NGN', '1001 NGN -> 0.66 USD -> 1001 NGN (0.66)'],
    ['the smallest part of a naira is a naira', '0.000001', 'NGN', '1 NGN -> 0.01 USD -> 1 NGN (0.01)'],
    ['a cent is enough for 16 naira', 0.01, 'USD', '0.01 USD -> 0.01 USD -> 16 NGN (0.01)'],
  ])('%s', async (_, amount, requestedCurrency, expected) => {
    expect(await amounts({ amount, requestedCurrency })).toBe(expected);
  });

  it('the largest amount is taken where what it buys is not larger still', async () => {
    // 9999999999999.99 USD x 0.92 = 9199999999999.99... EUR
    const wish = { amount: '9999999999999.99', recipient: { payout_method: IBAN } };
    expect(await amounts(wish)).toBe(
      '9999999999999.99 USD -> 9999999999999.99 USD -> 9199999999999.99 EUR (9999999999999.99)',
    );
  });

  it.each<[string, unknown, string]>([
    ['not given', undefined, 'blank'],
    ['null', null, 'blank'],
    ['empty', '', 'blank'],
    ['a word', 'ten', 'not_a_number'],
    ['a number with a comma', '1,000', 'not_a_number'],
    ['spaces around it', ' 10 ', 'not_a_number'],
    ['hexadecimal', '0x10', 'not_a_number'],
    ['a truth value', true, 'not_a_number'],
    ['a list', [10], 'not_a_number'],
    ['an object', { amount: 10 }, 'not_a_number'],
    ['zero', 0, 'not_positive'],
    ['below zero', -1, 'not_positive'],
    ['below zero as text', '-0.01', 'not_positive'],
    ['less than a cent', '0.009', 'not_positive'],
    ['a JSON number of 16 digits', 0.1234567890123456, 'too_many_digits'],
    ['ten to the thirteenth', '10000000000000', 'too_large'],
    ['a very long number', '1'.repeat(65), 'too_large'],
    ['a huge exponent', '1e300', 'too_large'],
    ['too large for what it buys', '9999999999999.99', 'too_large'],
  ])('is refused: %s', async (_, amount, word) => {
    const before = await countRows(db);
    const answer = await caller.post('/v1/transactions', bodyOfPayout({ recipient: { requested_amount: amount } }));
    expect(wordsIn(answer)).toEqual([`recipients.0.requested_amount: ${word}`]);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });

  it('a number beyond every double is refused, not taken for infinity', async () => {
    const body = JSON.stringify(bodyOfPayout({ amount: 1 })).replace(
      '"requested_amount":1',
      '"requested_amount":1e999',
    );
    expect(body).toContain('1e999');
    const answer = await caller.post('/v1/transactions', undefined, { rawBody: body });
    expect(wordsIn(answer)).toEqual(['recipients.0.requested_amount: not_a_number']);
  });
});

describe('several recipients', () => {
  const line = (amount: number | string, currency: string, method: object = OBI) => ({
    requested_amount: amount,
    requested_currency: currency,
    payout_method: method,
  });

  it('each has its own quote, and the transaction costs their sum', async () => {
    const recipients = [line(100, 'USD'), line(50_000, 'NGN'), line(100, 'GBP'), line(11, 'USD', ABIDJAN)];
    const made = await create(caller, { over: { recipients } });
    expect(made.recipients.map((each) => [each.input_amount, each.output_amount])).toEqual([
      [100, 152_540],
      [32.78, 50_000],
      // 100 GBP / 0.79 = 126.582... USD, which buy 193100.386 NGN.
      [126.59, 193_101],
      [11, 6_640],
    ]);
    expect(made.input_amount).toBe(270.37);
    expect(made).toMatchObject({ due_amount: 270.37, paid_amount: 0 });
  });

  it('are refused together when each is in bounds and their sum is not', async () => {
    const recipients = [line('6000000000000', 'GBP', IBAN), line('6000000000000', 'GBP', IBAN)];
    const one = { inputCurrency: 'GBP', over: { recipients: recipients.slice(1) } };
    expect((await create(caller, one)).input_amount).toBe(6_000_000_000_000);
    const answer = await caller.post('/v1/transactions', bodyOfPayout({ inputCurrency: 'GBP', over: { recipients } }));
    expect(wordsIn(answer)).toEqual(['recipients: too_large']);
  });

  it('are at most ten, unless the operator says otherwise', async () => {
    const of = (count: number) =>
      bodyOfPayout({ over: { recipients: Array.from({ length: count }, () => line(1, 'USD')) } });
    expect((await caller.post('/v1/transactions', of(10))).status).toBe(201);
    expect(wordsIn(await caller.post('/v1/transactions', of(11)))).toEqual(['recipients: too_large']);
  });
});

describe('equal input and output currency', () => {
  const wish = { amount: '10.00', requestedCurrency: 'EUR', inputCurrency: 'EUR', recipient: { payout_method: IBAN } };

  it('is refused on the type of the payout method', async () => {
    const answer = await caller.post('/v1/transactions', bodyOfPayout(wish));
    expect(wordsIn(answer)).toEqual(['recipients.0.payout_method.type: same_currency']);
  });

  it('is possible where an operator opened that currency for the account, and nothing is exchanged', async () => {
    const open = await app.newAccount({ terms: { sameCurrency: ['EUR'] } });
    const { recipients } = await create(open.caller, wish);
    expect(recipients[0]).toMatchObject({ input_amount: 10, output_amount: 10, exchange_rate: 1 });
  });

  it('needs no rate, and has no value in dollars where the rate is too old for one in live mode', async () => {
    const publicUrl = 'https://pay.example.com';
    const { db: own } = await freshDatabase();
    const live = await startApp({ db: own, flags: { mode: 'live', publicUrl } });
    const { caller: liveCaller } = await live.newAccount({ terms: { sameCurrency: ['EUR'] } });
    await own.inTx((tx) => putRate(tx, { currency: 'EUR', rate: rate(1n, 2n), origin: 'operator' }, live.clock.now()));
    await live.ctx.rates.refresh();
    const worth = async () => {
      const signedUrl = `${publicUrl}/v1/transactions`;
      const answer = await liveCaller.post('/v1/transactions', bodyOfPayout(wish), { signedUrl });
      return transactionIn(answer, 201).recipients.map(({ input_amount, input_usd_amount }) => [
        input_amount,
        input_usd_amount,
      ]);
    };
    live.clock.advance(DAY_MS - 1);
    expect(await worth()).toEqual([[10, 20]]);
    live.clock.advance(1);
    expect(await worth()).toEqual([[10, null]]);
  });

  it('is still refused in a currency that was not the one opened', async () => {
    const open = await app.newAccount({ terms: { sameCurrency: ['GBP', 'USD'] } });
    const answer = await open.caller.post('/v1/transactions', bodyOfPayout(wish));
    expect(wordsIn(answer)).toEqual(['recipients.0.payout_method.type: same_currency']);
  });
});
