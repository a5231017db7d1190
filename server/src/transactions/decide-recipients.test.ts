import { describe, expect, it } from 'vitest';
import { accountWith, factsFor, said } from '../../../test/support/create-facts.ts';
import { NOON } from '../../../test/support/manual-clock.ts';
import { OBI, type PayoutWish } from '../../../test/support/payout.ts';
import { marginTable } from '../rates/margins.ts';
import { NOT_TRIED } from '../recipients/recipient.ts';
import type { CreateFacts } from './decide-create.ts';
import { decideRecipients } from './decide-recipients.ts';

const IBAN = { type: 'EUR::Bank', details: { first_name: 'Eva', last_name: 'X', iban: 'DE89370400440532013000' } };

const decide = (wish: PayoutWish, change: Partial<CreateFacts> = {}) => decideRecipients(factsFor(wish, change));
const line = (amount: unknown, currency: string, method: object = OBI) => ({
  requested_amount: amount,
  requested_currency: currency,
  payout_method: method,
});

describe('a recipient', () => {
  it('is made from its draft, its quote and the ids that were made for it', () => {
    const metadata = { a: 1 };
    const facts = factsFor({ recipient: { ...line('10.01', 'EUR'), metadata }, inputCurrency: 'EUR' });
    const { accountId } = facts.account;
    const { recipients, inputs, refusals } = decideRecipients(facts);
    expect(refusals).toEqual([]);
    // 10.01 EUR x 1525.40 / 0.92 = 16597.01... NGN, and 10.88... USD.
    expect(inputs).toEqual([{ minor: 1_001n, currency: 'EUR' }]);
    expect(recipients).toEqual([
      {
        accountId,
        recipientId: facts.command.recipientIds[0]?.recipientId,
        transactionId: facts.command.transactionId,
        position: 0,
        type: 'person',
        state: 'initial',
        stateReason: null,
        stateReasonDetails: null,
        requestedAmount: 1_001n,
        requestedCurrency: 'EUR',
        inputAmount: 1_001n,
        inputCurrency: 'EUR',
        outputAmount: 1_659_800n,
        outputCurrency: 'NGN',
        inputUsdAmount: 1_088n,
        usdRate: null,
        // 1525.40 / 0.92, exactly.
        rate: '38135/23',
        payoutMethodId: facts.command.recipientIds[0]?.payoutMethodId,
        payoutType: 'NGN::Bank',
        payoutDetails: OBI.details,
        payoutMetadata: {},
        provider: null,
        metadata,
        eventCount: 0,
        ...NOT_TRIED,
        createdAt: NOON,
      },
    ]);
  });

  it('keeps its place and its ids beside others', () => {
    const facts = factsFor({ over: { recipients: [line(1, 'USD'), line(2, 'USD'), line(3, 'USD')] } });
    const { recipients } = decideRecipients(facts);
    expect(recipients.map(({ position, recipientId }) => [position, recipientId])).toEqual(
      facts.command.recipientIds.map(({ recipientId }, place) => [place, recipientId]),
    );
  });

  it('pays the margin once, from input to output', () => {
    const rates = { ...factsFor().rates, margins: marginTable({ '*': '0', 'USD/NGN': '0.01' }) };
    const [byInput] = decide({ amount: 100 }, { rates }).recipients;
    // 100 x 1525.40 x 0.99 = 151014.6.
    expect(byInput?.outputAmount).toBe(15_101_500n);
    const [byThird] = decide({ recipient: line(100, 'GBP') }, { rates }).recipients;
    // 100 GBP / 0.79 = 126.582... USD without margin, 126.59 x 1525.40 x 0.99 = 191169.38... NGN.
    expect([byThird?.inputAmount, byThird?.outputAmount]).toEqual([12_659n, 19_117_000n]);
  });

  it('has its computed input cut where the operator wants it so', () => {
    const rates = { ...factsFor().rates, inputRounding: 'cut' as const };
    // 50000 NGN / 1525.40 = 32.778... USD.
    expect(decide({ recipient: line(50_000, 'NGN') }, { rates }).recipients[0]?.inputAmount).toBe(3_277n);
    expect(decide({ recipient: line(50_000, 'NGN') }).recipients[0]?.inputAmount).toBe(3_278n);
  });
});

describe('a recipient is refused', () => {
  it('when input and output are one currency, before anything else is looked at', () => {
    for (const amount of [10, -1, 'x']) {
      const decided = decide({ inputCurrency: 'NGN', recipient: line(amount, 'NGN') });
      expect(said(decided.refusals)).toEqual(['recipients.0.payout_method.type: same_currency']);
      expect(decided.recipients).toEqual([]);
    }
  });

  it('except where that currency is open for the account', () => {
    const account = accountWith({ sameCurrency: ['EUR', 'NGN'] });
    const { recipients, refusals } = decide({ inputCurrency: 'NGN', recipient: line('10.5', 'NGN') }, { account });
    expect(refusals).toEqual([]);
    expect(recipients[0]).toMatchObject({ inputAmount: 1_100n, outputAmount: 1_100n, rate: '1/1' });
    const closed = accountWith({ sameCurrency: ['EUR'] });
    expect(decide({ inputCurrency: 'NGN', recipient: line(10, 'NGN') }, { account: closed }).refusals).toHaveLength(1);
  });

  it.each<[string, PayoutWish, string]>([
    ['its output is too large', { amount: '9999999999999.99' }, 'too_large'],
    ['its input is too large', { recipient: line('9999999999999.99', 'GBP', IBAN) }, 'too_large'],
    // A dollar cent is 0.0092 EUR.
    ['its output comes to nothing', { recipient: line('0.01', 'USD', IBAN) }, 'not_positive'],
  ])('when %s', (_, wish, word) => {
    expect(said(decide(wish).refusals)).toEqual([`recipients.0.requested_amount: ${word}`]);
  });

  it('when there is no rate between the two currencies', () => {
    const { rates } = factsFor();
    const withoutNaira = new Map([...rates.sheet.rates].filter(([code]) => code !== 'NGN'));
    const sheet = { ...rates.sheet, rates: withoutNaira };
    expect(said(decide({}, { rates: { ...rates, sheet } }).refusals)).toEqual([
      'recipients.0.requested_amount: rate_unavailable',
    ]);
  });

  it('alone: the others get their quotes', () => {
    const lines = [line(1, 'USD'), line('9999999999999.99', 'USD'), line(3, 'USD')];
    const { inputs, refusals } = decide({ over: { recipients: lines } });
    expect(said(refusals)).toEqual(['recipients.1.requested_amount: too_large']);
    expect(inputs.map(({ minor }) => minor)).toEqual([100n, 300n]);
  });
});

it('what the draft has refused already is passed over', () => {
  for (const recipient of [line('x', 'USD'), line(1, 'XXX'), line(1, 'USD', { type: 'X' }), {}]) {
    expect(decide({ over: { recipients: [recipient] } })).toEqual({ recipients: [], inputs: [], refusals: [] });
  }
  expect(decide({ inputCurrency: 'XXX' })).toEqual({ recipients: [], inputs: [], refusals: [] });
});
