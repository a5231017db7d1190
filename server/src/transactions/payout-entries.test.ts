/** The ledger entries of payouts: which money goes from where to where. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { aRecipient } from '../../../test/support/recipients.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import type { MoneyEffect } from '../recipients/effects.ts';
import { entryOf } from './payout-entries.ts';
import type { WholeTransaction } from './transaction.ts';

const recipient = aRecipient();
const { accountId, transactionId, inputAmount, outputAmount } = recipient;
const transaction: WholeTransaction = Object.assign(Object.create(null), { accountId, transactionId });

describe('the entry of a recipient that is', () => {
  it.each<[string, MoneyEffect, unknown[]]>([
    [
      'paid',
      { entry: 'pay_out' },
      [
        ['USD', 'held', 'exchange', inputAmount],
        ['NGN', 'exchange', 'payout_settlement', outputAmount],
      ],
    ],
    ['refunded', { entry: 'refund' }, [['USD', 'held', 'balance', inputAmount]]],
    ['overpaid', { entry: 'overpaid_excess', minor: 7n }, [['NGN', 'exchange', 'payout_settlement', 7n]]],
    [
      'paid after its refund',
      { entry: 'paid_after_refund', minor: 9n },
      [['NGN', 'exchange', 'payout_settlement', 9n]],
    ],
  ])('%s', (_, effect, expected) => {
    const transfers = entryOf(timeOrderedIds(), transaction, recipient, effect, NOON);
    expect(transfers.map(({ currency, from, to, amount }) => [currency, from, to, amount])).toEqual(expected);
    expect(new Set(transfers.map(({ entryId }) => entryId)).size).toBe(1);
  });

  it.each([
    ['a half', 2n, 0n],
    ['a third, rounded up', 3n, 1n],
  ])('paid in part for good, %s: what was paid is paid out and the rest refunded', (_, over, up) => {
    const paid = outputAmount / over;
    const used = inputAmount / over + up;
    const transfers = entryOf(timeOrderedIds(), transaction, recipient, { entry: 'settle_part', minor: paid }, NOON);
    expect(transfers.map(({ entry, currency, from, to, amount }) => [entry, currency, from, to, amount])).toEqual([
      ['pay_out', 'USD', 'held', 'exchange', used],
      ['pay_out', 'NGN', 'exchange', 'payout_settlement', paid],
      ['refund', 'USD', 'held', 'balance', inputAmount - used],
    ]);
  });

  it('paid but for the smallest unit: nothing is left to refund', () => {
    const effect = { entry: 'settle_part', minor: outputAmount - 1n } as const;
    const transfers = entryOf(timeOrderedIds(), transaction, recipient, effect, NOON);
    expect(transfers.map(({ entry }) => entry)).toEqual(['pay_out', 'pay_out']);
  });
});
