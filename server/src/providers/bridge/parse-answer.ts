/**
 * Reads what a bridge says about an order. Every word that counts is listed; anything else, half an answer included, is
 * unknown, and so is an answer about another order. docs/bridge.md describes the same words.
 */
import { type CurrencyCode, isCurrency } from '../../money/currencies.ts';
import { parseReceivedAmount } from '../../money/parse.ts';
import type { CallbackNews, NotFound, PayoutAnswer, ProviderFacts } from '../payout-provider.ts';
import { isCode, unknown } from '../readable.ts';

type Said = Readonly<Record<string, unknown>>;

const MAX_PAYMENT_REFERENCE_CHARS = 100;
/** What people read and show at a counter: no control characters, and no half ones. */
const PAYMENT_REFERENCE = /^[^\p{Cc}\p{Cs}\s][^\p{Cc}\p{Cs}]*$/u;
/** What an order fails with that a bridge did not take because it is out of service. */
export const DOWN = { kind: 'failed', code: '3', isDown: true } as const satisfies PayoutAnswer;

export interface AboutOrder {
  readonly reference: string;
  readonly currency: CurrencyCode;
}

/** Undefined: no object that could say anything. */
export function parseSaid(text: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Said) : undefined;
  } catch {
    return undefined;
  }
}

/** To sending an order. `down` means that nothing was taken. */
export function submitAnswer(said: Said | undefined, order: AboutOrder): PayoutAnswer {
  if (said?.['reference'] !== order.reference) return unknown('an answer that cannot be read');
  return said['status'] === 'down' ? DOWN : outcomeOf(said, order.currency);
}

/** To asking about an order. `down` says nothing about it: it may have been taken before. */
export function statusAnswer(said: Said | undefined, order: AboutOrder): PayoutAnswer | NotFound {
  if (said?.['reference'] !== order.reference) return unknown('an answer that cannot be read');
  return said['status'] === 'not_found' ? { kind: 'not_found' } : outcomeOf(said, order.currency);
}

/** One of two words about the order, or unknown. */
export function changeAnswer<Word extends string>(said: Said | undefined, reference: string, done: Word) {
  if (said?.['reference'] !== reference) return unknown('an answer that cannot be read');
  if (said['status'] === done) return { kind: done };
  return said['status'] === 'refused' ? { kind: 'refused' as const } : unknown('a word that is not listed');
}

/**
 * A callback of the bridge itself that tells of no orders: the bridge has a fault, and must not take it for recorded.
 */
export class NoListOfPayouts extends Error {
  override readonly name = 'NoListOfPayouts';
}

/** What a proved callback says. Entries without a reference are left out: nobody could tell what they are about. */
export function newsOf(text: string): readonly CallbackNews[] {
  const payouts = parseSaid(text)?.['payouts'];
  if (!Array.isArray(payouts)) throw new NoListOfPayouts();
  return payouts.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const said = entry as Said;
    const { reference } = said;
    return typeof reference === 'string' ? [{ reference, answer: outcomeOf(said, undefined) }] : [];
  });
}

/** The currency is that of the order; a callback comes without one. */
function outcomeOf(said: Said, currency: CurrencyCode | undefined): PayoutAnswer {
  const { status, code } = said;
  const facts = factsOf(said);
  switch (status) {
    case 'paid':
      return paidOf(said, currency, facts);
    case 'failed':
      if (!isCode(code)) return unknown('failed without a code');
      return { kind: 'failed', code };
    case 'pending':
      return {
        kind: 'pending',
        ...(isCode(code) && { code }),
        ...(facts && { facts }),
      };
    default:
      return unknown('a word that is not listed');
  }
}

/**
 * A currency that cannot be compared with that of the order here is handed on to where the order is known. Many
 * programs write null for what they leave out.
 */
function paidOf(said: Said, ordered: CurrencyCode | undefined, facts: ProviderFacts | undefined): PayoutAnswer {
  const currency = said['currency'] ?? undefined;
  if (currency !== undefined && !isCurrency(currency)) return unknown('paid in no known currency');
  if (ordered !== undefined && (currency ?? ordered) !== ordered) return unknown('paid in another currency');
  const shown = {
    ...(ordered === undefined && currency !== undefined && { paidCurrency: currency }),
    ...(facts && { facts }),
  };
  const amount = said['paid_amount'] ?? undefined;
  if (amount === undefined) return { kind: 'paid', ...shown };
  if (currency === undefined) return unknown('paid an amount without a currency');
  const paid = parseReceivedAmount(amount, currency);
  if (!paid.ok) return unknown('paid an amount that cannot be read');
  return { kind: 'paid', paidMinor: paid.value.minor, ...shown };
}

function factsOf({ payment_reference: reference }: Said): ProviderFacts | undefined {
  if (typeof reference !== 'string' || reference.length > MAX_PAYMENT_REFERENCE_CHARS) return undefined;
  return PAYMENT_REFERENCE.test(reference) ? { paymentReference: reference } : undefined;
}
