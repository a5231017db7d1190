/** Whether an adapter's answer about a payin is one of the port. What is not, says nothing: it is unknown. */
import { isObject } from '../kernel/storable.ts';
import { MAX_MINOR } from '../money/amount.ts';
import type { PayinAnswer, Payment } from './payin-provider.ts';
import type { NotFound } from './payout-provider.ts';
import { knownWord, unreadable } from './readable.ts';

export const PAYIN_WORDS: readonly string[] = ['paid', 'processing', 'failed', 'waiting', 'needs_otp', 'unknown'];
const MAX_REFERENCE_CHARS = 200;
/** More payments than that under one prompt are no payments of one payer. */
const MAX_PAYMENTS = 100;
/** What the database keeps as text, and people can read back: half a character would come back as another one. */
const REFERENCE = /^[^\p{Cc}\p{Cs}\s][^\p{Cc}\p{Cs}]*$/u;

export function readablePayin(said: PayinAnswer): PayinAnswer {
  const known = knownWord(PAYIN_WORDS, said);
  if (known.kind === 'paid' && !arePayments(known.payments)) return unreadable();
  return 'shown' in known && !isShown(known.shown) ? unreadable() : known;
}

/** Laid over what the payer was shown before, part by part. */
function isShown(shown: unknown): boolean {
  if (shown === undefined) return true;
  return isObject(shown) && [shown['outDetails'], shown['instructions']].every(isPart);
}

function isPart(part: unknown): boolean {
  return part === undefined || isObject(part);
}

/** Only who is asked may say that there is no such prompt. */
export function readableStatus(said: PayinAnswer | NotFound): PayinAnswer | NotFound {
  return said?.kind === 'not_found' ? said : readablePayin(said);
}

function arePayments(payments: readonly Payment[]): boolean {
  if (!Array.isArray(payments) || payments.length === 0 || payments.length > MAX_PAYMENTS) return false;
  return payments.every(({ reference, minor }) => isReference(reference) && isAmount(minor));
}

function isReference(reference: unknown): boolean {
  return typeof reference === 'string' && reference.length <= MAX_REFERENCE_CHARS && REFERENCE.test(reference);
}

function isAmount(minor: unknown): boolean {
  return typeof minor === 'bigint' && minor > 0n && minor <= MAX_MINOR;
}
