/**
 * The words of a receipt, from stored rows alone: what was paid, to whom, at which rate, when, and by which ids it is
 * found. Pure. It names the two parties and the end of the account, and nothing else that is known of them. OP-156.
 */
import { present } from '../kernel/assert.ts';
import { toDecimalString } from '../money/format.ts';
import { parseRate, rateToJsonNumber } from '../rates/rate.ts';
import { type Receipt, type ReceiptRow, receiptIdOf } from '../receipts/receipt.ts';
import { type Attempt, referenceOf } from '../recipients/attempt.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { WholeTransaction } from './transaction.ts';

interface ReceiptFacts {
  readonly transaction: WholeTransaction;
  readonly recipient: Recipient;
  /** All of the recipient. */
  readonly attempts: readonly Attempt[];
  readonly isSandbox: boolean;
}

/** The detail that names the account, by what it is called on paper; the first that there is. */
const ACCOUNT_DETAILS = [
  ['iban', 'IBAN'],
  ['bank_account', 'Bank account'],
  ['phone_number', 'Phone number'],
  ['pix_key_value', 'PIX key'],
  ['address', 'Address'],
] as const;
const SHOWN_CHARS = 4;
/** Of a shorter one the end would be nearly all of it. */
const LEAST_CHARS = 8;

export function receiptOf({ transaction, recipient, attempts, isSandbox }: ReceiptFacts): Receipt {
  const paid = attempts.filter((attempt) => attempt.outcome === 'paid');
  const first = paid.toSorted((one, other) => timeOf(one) - timeOf(other))[0];
  const got =
    paid.length === 0 ? recipient.outputAmount : paid.reduce((sum, each) => sum + (each.paidAmount ?? 0n), 0n);
  const details = first?.details ?? recipient.payoutDetails;
  const { inputCurrency, outputCurrency } = recipient;
  const money = (minor: bigint, currency: Recipient['inputCurrency']) =>
    `${toDecimalString({ minor, currency })} ${currency}`;
  const isOther = got !== recipient.outputAmount;
  return {
    receiptId: receiptIdOf(recipient),
    title: 'Receipt of a payment',
    amount: money(got, outputCurrency),
    rows: [
      ...row('Paid at', first?.endedAt && timeText(first.endedAt)),
      ...row('Recipient', nameIn(details)),
      ...row('Paid by way of', recipient.payoutType),
      ...accountRow(details),
      ...(isOther ? row('Amount ordered', money(recipient.outputAmount, outputCurrency)) : []),
      ...row('Amount debited', money(recipient.inputAmount, inputCurrency)),
      ...(inputCurrency === outputCurrency ? [] : row('Exchange rate', rateText(recipient))),
      ...row('Sender', nameIn(transaction.sender.details)),
      ...row('Provider', first?.provider),
      ...row('Reference', first && referenceOf(first)),
      ...row('Recipient id', recipient.recipientId),
      ...row('Transaction id', transaction.transactionId),
      ...row('External id', transaction.externalId),
      ...row('Receipt id', receiptIdOf(recipient)),
    ],
    notes: [
      ...(isSandbox ? ['Sandbox: this is a test, and no money was moved.'] : []),
      'Made from the stored record of this payment. Whoever asks about it should name the recipient id.',
    ],
    at: first?.endedAt ?? recipient.createdAt,
  };
}

function timeOf({ endedAt, startedAt }: Attempt): number {
  return (endedAt ?? startedAt).getTime();
}

function row(label: string, value: string | null | undefined): ReceiptRow[] {
  return value ? [{ label, value }] : [];
}

function textIn(details: Readonly<Record<string, unknown>>, name: string): string {
  const value = details[name];
  return typeof value === 'string' ? value.trim() : '';
}

function nameIn(details: Readonly<Record<string, unknown>>): string {
  const parts = ['first_name', 'middle_name', 'last_name'].map((name) => textIn(details, name));
  return parts.filter((part) => part !== '').join(' ') || textIn(details, 'name');
}

function accountRow(details: Readonly<Record<string, unknown>>): ReceiptRow[] {
  const found = ACCOUNT_DETAILS.find(([name]) => textIn(details, name) !== '');
  if (found === undefined) return [];
  const [name, label] = found;
  const text = textIn(details, name);
  return row(label, text.length < LEAST_CHARS ? '****' : `**** ${text.slice(-SHOWN_CHARS)}`);
}

/** `2026-11-15 12:00:00 UTC` */
function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Decimal digits of the smallest rate that can be shown without an exponent. */
const MAX_RATE_DECIMALS = 30;

function rateText({ rate, inputCurrency, outputCurrency }: Recipient): string {
  const value = rateToJsonNumber(present(parseRate(rate), 'stored rate'));
  const short = String(value);
  const text = short.includes('e-') ? value.toFixed(MAX_RATE_DECIMALS).replace(/0+$/, '') : short;
  return `1 ${inputCurrency} = ${text} ${outputCurrency}`;
}
