import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeBridge } from '../../../../test/providers/fake-bridge.ts';
import { anOrder, patience } from '../../../../test/providers/orders.ts';
import { manualClock, NOON } from '../../../../test/support/manual-clock.ts';
import { changeAnswer, NoListOfPayouts, newsOf, parseSaid, statusAnswer, submitAnswer } from './parse-answer.ts';
import { BridgeProvider } from './provider.ts';
import { isProved, MAX_AGE_MS, signMessage } from './signature.ts';

const SECRET = 's'.repeat(32);
const ORDER = { reference: 'r', currency: 'NGN' } as const;

async function withBank(
  run: (bank: FakeBridge, provider: BridgeProvider) => Promise<void>,
  secret = SECRET,
): Promise<void> {
  const bank = new FakeBridge(SECRET, () => NOON);
  await bank.open();
  const provider = new BridgeProvider({ name: 'bridge', url: bank.url, secret, clock: manualClock(NOON) });
  try {
    await run(bank, provider);
  } finally {
    await bank.close();
    await provider.close();
  }
}

describe('a call to the bridge', () => {
  it('without the right secret is turned away, and nothing is known', () =>
    withBank(async (bank, provider) => {
      expect(await provider.submit(anOrder(), patience())).toEqual({ kind: 'unknown', why: 'status 401' });
      expect(bank.unproved).toBe(1);
      expect(bank.book.size).toBe(0);
    }, 'x'.repeat(32)));

  it('with an answer longer than any can be is unknown', () =>
    withBank(async (bank, provider) => {
      bank.manner = 'too long';
      expect(await provider.submit(anOrder(), patience())).toEqual({
        kind: 'unknown',
        why: 'an answer that is too long',
      });
    }));

  it('carries the reference safely, whatever it is made of', () =>
    withBank(async (bank, provider) => {
      const order = anOrder({ reference: 'a/b?c=d&e#f ü' });
      await provider.submit(order, patience());
      expect((await provider.status(order, patience())).kind).toBe('paid');
      expect(bank.unproved).toBe(0);
    }));

  it('hands changed details over under the same reference', () =>
    withBank(async (bank, provider) => {
      bank.plan = { status: 'pending' };
      const order = anOrder();
      await provider.submit(order, patience());
      await provider.update({ ...order, details: { first_name: 'Grace' } }, patience());
      expect(bank.book.get(order.reference)?.details).toEqual({ first_name: 'Grace' });
    }));
});

describe('what a bridge says about an order', () => {
  it.each([
    [{ status: 'paid' }, { kind: 'paid' }],
    [
      { status: 'paid', paid_amount: '1500.00', currency: 'NGN' },
      { kind: 'paid', paidMinor: 150_000n },
    ],
    [{ status: 'paid', currency: 'NGN' }, { kind: 'paid' }],
    [{ status: 'paid', currency: null }, { kind: 'paid' }],
    [
      { status: 'paid', payment_reference: '42' },
      { kind: 'paid', facts: { paymentReference: '42' } },
    ],
    [
      { status: 'failed', code: '416' },
      { kind: 'failed', code: '416' },
    ],
    [{ status: 'pending' }, { kind: 'pending' }],
    [
      { status: 'pending', code: '14' },
      { kind: 'pending', code: '14' },
    ],
    [{ status: 'down' }, { kind: 'failed', code: '3', isDown: true }],
  ])('%j is understood', (said, answer) => {
    expect(submitAnswer({ reference: 'r', ...said }, ORDER)).toEqual(answer);
  });

  it.each([
    { status: 'paid', paid_amount: '1500.00' },
    { status: 'paid', paid_amount: '1500.00', currency: 'USD' },
    { status: 'paid', currency: 'USD' },
    { status: 'paid', currency: 'ZZZ' },
    { status: 'paid', paid_amount: '-1', currency: 'NGN' },
    { status: 'paid', paid_amount: '0', currency: 'NGN' },
    { status: 'paid', paid_amount: 'much', currency: 'NGN' },
    { status: 'failed' },
    { status: 'failed', code: 416 },
    { status: 'failed', code: 'x'.repeat(21) },
    { status: 'PAID' },
    { status: 'not_found' },
    { status: ['paid'] },
    { reference: 'other', status: 'paid' },
  ])('%j is unknown', (said) => {
    expect(submitAnswer({ reference: 'r', ...said }, ORDER).kind).toBe('unknown');
  });

  it.each([
    { paid_amount: null, currency: null },
    { paid_amount: null, currency: 'NGN' },
  ])('paid with %j is paid as it was ordered: null is left out', (said) => {
    const nothing = { code: null, payment_reference: null };
    expect(submitAnswer({ reference: 'r', status: 'paid', ...nothing, ...said }, ORDER)).toEqual({ kind: 'paid' });
  });

  it.each(['', ' 42', 'x'.repeat(101), 'a\0b', '\u001b[31m42', '\ud800', 42])(
    'a payment reference of %j, which nobody can show at a counter, is left out',
    (payment_reference) => {
      expect(submitAnswer({ reference: 'r', status: 'pending', payment_reference }, ORDER)).toEqual({
        kind: 'pending',
      });
    },
  );

  it('down, when asked about an order, says nothing about it', () => {
    expect(statusAnswer({ reference: 'r', status: 'down' }, ORDER).kind).toBe('unknown');
    expect(statusAnswer({ reference: 'r', status: 'not_found' }, ORDER)).toEqual({ kind: 'not_found' });
  });

  it('any text at all is read without a fault, and almost all of it as unknown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const said = parseSaid(text);
        expect(submitAnswer(said, ORDER).kind).toBe('unknown');
        expect(statusAnswer(said, ORDER).kind).toBe('unknown');
        expect(changeAnswer(said, 'r', 'canceled').kind).toBe('unknown');
        expect(() => newsOf(text)).toThrow(NoListOfPayouts);
      }),
    );
  });

  it.each([
    [
      { paid_amount: '15.00', currency: 'USD' },
      { kind: 'paid', paidMinor: 1_500n, paidCurrency: 'USD' },
    ],
    [{ currency: 'USD' }, { kind: 'paid', paidCurrency: 'USD' }],
    [{}, { kind: 'paid' }],
    [{ paid_amount: '15.00' }, { kind: 'unknown', why: expect.any(String) }],
    [
      { paid_amount: '15.00', currency: 'ZZZ' },
      { kind: 'unknown', why: expect.any(String) },
    ],
  ])('a callback that says paid with %j hands its currency on', (said, answer) => {
    const news = newsOf(JSON.stringify({ payouts: [{ reference: 'r', status: 'paid', ...said }] }));
    expect(news).toEqual([{ reference: 'r', answer }]);
  });

  it.each(['{"payouts":[]}', '{"payouts":[null,1,"x",{"status":"paid"}]}'])(
    'a callback of %j names no order',
    (text) => {
      expect(newsOf(text)).toEqual([]);
    },
  );

  it.each(['', 'null', '[]', '{}', '{"payouts":{}}', '{"payout":[{"reference":"r","status":"paid"}]}'])(
    'a callback of %j cannot be read',
    (text) => {
      expect(() => newsOf(text)).toThrow(NoListOfPayouts);
    },
  );
});

describe('a signature', () => {
  const message = { timestamp: String(NOON.getTime()), what: 'POST /payouts', body: '{}' };
  const signature = signMessage(message, SECRET);

  it('is the one that the document shows how to make', () => {
    const known = { timestamp: '1794744000000', what: 'POST /payouts', body: '{"reference":"r"}' };
    expect(signMessage(known, 'a-secret-of-at-least-32-characters')).toBe(
      '9d460c110d4463cb0beacae21ca4d78774cba2c69042a8558fa6ae38b867294c',
    );
  });

  it.each([
    ['as it was made', message, 0, true],
    ['at the end of its time', message, MAX_AGE_MS, true],
    ['after its time', message, MAX_AGE_MS + 1, false],
    ['too far before its time', message, -MAX_AGE_MS - 1, false],
    ['of another body', { ...message, body: '{ }' }, 0, false],
    ['of another call', { ...message, what: 'PUT /payouts' }, 0, false],
    ['of another time', { ...message, timestamp: String(NOON.getTime() + 1) }, 0, false],
  ])('%s', (_, given, offMs, isGood) => {
    expect(isProved(given, signature, SECRET, new Date(NOON.getTime() + offMs))).toBe(isGood);
    expect(isProved(given, signature, 'x'.repeat(32), new Date(NOON.getTime() + offMs))).toBe(false);
  });
});
