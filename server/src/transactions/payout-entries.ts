/**
 * The ledger entries of recipients: paid, paid too much, paid in part for good, refunded, paid although it had been
 * refunded, and, of a collection, brought into the balance.
 */
import { unreachable } from '../kernel/assert.ts';
import type { Ids } from '../kernel/ids.ts';
import { makeEntry, type Transfer } from '../ledger/entry.ts';
import { roundUp } from '../money/rounding.ts';
import type { MoneyEffect } from '../recipients/effects.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { WholeTransaction } from './transaction.ts';

export function entryOf(
  ids: Ids,
  transaction: WholeTransaction,
  recipient: Recipient,
  effect: MoneyEffect,
  postedAt: Date,
): Transfer[] {
  const { accountId, transactionId } = transaction;
  const about = { accountId, transactionId, recipientId: recipient.recipientId, postedAt };
  const input = { currency: recipient.inputCurrency, minor: recipient.inputAmount };
  const output = { currency: recipient.outputCurrency, minor: recipient.outputAmount };
  switch (effect.entry) {
    case 'pay_out':
      return makeEntry(ids, 'pay_out', { amounts: [input, output], ...about });
    case 'refund':
      return makeEntry(ids, 'refund', { amounts: [input], ...about });
    case 'collect':
      return input.currency === output.currency
        ? makeEntry(ids, 'collected', { amounts: [input], ...about })
        : makeEntry(ids, 'collected_exchanged', { amounts: [input, output], ...about });
    case 'overpaid_excess':
    case 'paid_after_refund':
      return makeEntry(ids, effect.entry, { amounts: [{ ...output, minor: effect.minor }], ...about });
    case 'settle_part': {
      // Rounded up: what was paid is covered, be it by a hundredth more.
      const paidMinor = roundUp({ num: input.minor * effect.minor, den: output.minor });
      const [used, rest] = [
        { ...input, minor: paidMinor },
        { ...input, minor: input.minor - paidMinor },
      ];
      return [
        ...makeEntry(ids, 'pay_out', { amounts: [used, { ...output, minor: effect.minor }], ...about }),
        ...(rest.minor > 0n ? makeEntry(ids, 'refund', { amounts: [rest], ...about }) : []),
      ];
    }
    default:
      return unreachable(effect);
  }
}
