/**
 * Another amount came in than was asked for: the collection becomes what was received, at the rate of its creation.
 * What the caller requested stays as it was. Spec: Transaction states (mispaid). Open point OP-104.
 */
import { present } from '../kernel/assert.ts';
import { accepted, type Checked } from '../kernel/refusal.ts';
import { type Amount, amount } from '../money/amount.ts';
import { outputOf, usdValue } from '../rates/quote.ts';
import { parseRate } from '../rates/rate.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

/** Whether so much can be paid out at all: it may be worth less than the smallest amount of the balance. */
export function canResize({ recipients }: WholeTransaction, minor: bigint): boolean {
  return recipients.every((recipient) => outputFor(recipient, minor).ok);
}

export function resize(desk: TransactionDesk, key: TransactionKey): void {
  const transaction = desk.current(key);
  const { paidAmount } = transaction;
  if (transaction.inputAmount === paidAmount) return;
  // A collection has one recipient, so all of it is that one's part.
  const recipients = transaction.recipients.map((recipient) => resized(recipient, paidAmount));
  desk.putTransaction({ ...transaction, inputAmount: paidAmount, recipients });
}

function resized(recipient: Recipient, minor: bigint): Recipient {
  const output = outputFor(recipient, minor);
  const usdRate = recipient.usdRate === null ? undefined : parseRate(recipient.usdRate);
  return {
    ...recipient,
    inputAmount: minor,
    outputAmount: output.ok ? output.value.minor : recipient.outputAmount,
    inputUsdAmount: usdValue(amount(minor, recipient.inputCurrency), usdRate)?.minor ?? null,
  };
}

/** Within one currency nothing is exchanged, and nothing is rounded: what came in is what goes into the balance. */
function outputFor({ inputCurrency, outputCurrency, rate }: Recipient, minor: bigint): Checked<Amount> {
  const input = amount(minor, inputCurrency);
  if (inputCurrency === outputCurrency) return accepted(input);
  return outputOf(input, present(parseRate(rate), 'stored rate'), { outputCurrency });
}
