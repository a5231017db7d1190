/**
 * What of an adapter's answer can be read: a word of its port, and a code where one belongs. Anything else is nothing.
 */

/** The honest word for an answer that nobody got, or that says nothing. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
}

/** Published codes are short numbers; others are shown and kept as they come. */
const CODE = /^[0-9A-Za-z_-]{1,20}$/;

export function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

/** An adapter that says what the port does not know has said nothing. */
export function knownWord<Answer extends { readonly kind: string }>(
  words: readonly string[],
  said: Answer,
): Answer | Unknown {
  return words.includes(said?.kind) && hasReadableCode(said) ? said : unreadable();
}

/** The same for an answer about an order, with the amount and the facts that may stand beside the word. */
export function knownAnswer<Answer extends { readonly kind: string }>(
  words: readonly string[],
  said: Answer,
): Answer | Unknown {
  const known = knownWord(words, said);
  return isPaidReadable(known) ? known : unreadable();
}

export function unreadable(): Unknown {
  return unknown('an answer that the port does not know');
}

export function unknown(why: string): Unknown {
  return { kind: 'unknown', why };
}

/** A failure has one. */
function hasReadableCode(said: { readonly kind: string; readonly code?: unknown }): boolean {
  return said.code === undefined ? said.kind !== 'failed' : isCode(said.code);
}

interface Said {
  readonly kind: string;
  readonly paidMinor?: unknown;
  readonly facts?: unknown;
}

function isPaidReadable({ paidMinor, facts }: Said): boolean {
  const paymentReference: unknown = Reflect.get(Object(facts), 'paymentReference');
  return (
    (paidMinor === undefined || typeof paidMinor === 'bigint') &&
    (paymentReference === undefined || typeof paymentReference === 'string')
  );
}
