/**
 * What a provider's code becomes on the recipient: state_reason and state_reason_details. A provider may send a code
 * that nobody has published: the recipient still gets a reason, and never a better one than the provider's word allows.
 * Spec: Error detail object. Open point OP-137.
 */
import { present } from '../kernel/assert.ts';
import type { CodeRow } from '../providers/code-row.ts';
import { CODE_TABLE } from './code-table.ts';
import { type RecipientCategory, recipientCategory } from './error-codes.ts';
import type { StateReasonDetails } from './recipient.ts';

export interface StateReason {
  /** The text of `state_reason`. */
  readonly text: string;
  readonly details: StateReasonDetails<RecipientCategory>;
}

/** What a code that is no code of any class of errors counts for. */
const GENERIC_ERROR = '3';
/** What an order without a code, or with one that does not fit, waits with. */
const GENERIC_WAIT = '1';

const BY_CODE: ReadonlyMap<string, StateReason> = new Map(CODE_TABLE.map((row) => [row.code, reasonFrom(row)]));

/** What a recipient shows once it has the money. */
export const PAID_REASON = listed('0');

/** Why an attempt failed. Codes of no class, and codes that do not tell of a failure, become the temporary error. */
export function reasonOf(code: string): StateReason {
  return isErrorCode(code) ? listed(code) : listed(GENERIC_ERROR);
}

/** What a payout that is under way waits for; for a code that tells of something else, the general wait. */
export function waitReasonOf(code: string | undefined): StateReason {
  return code !== undefined && isWaitCode(code) ? listed(code) : listed(GENERIC_WAIT);
}

/**
 * `failed` with a code that says paid, awaited or to be picked up. Such an answer proves nothing: it is taken for
 * unknown, and the provider is asked about the order.
 */
export function contradictsFailure(code: string): boolean {
  return code === '0' || isWaitCode(code);
}

/** A code that tells of a failure: of the classes 3, 4 and 5. */
export function isErrorCode(code: string): boolean {
  const category = recipientCategory(code);
  return category === 'temporary_error' || category === 'recipient_error' || category === 'sender_error';
}

function isWaitCode(code: string): boolean {
  const category = recipientCategory(code);
  return category !== undefined && isWaiting(category);
}

/** The outcome is open: it tells what is waited for, and not why something failed. */
export function isWaiting(category: RecipientCategory): boolean {
  return category === 'unknown' || category === 'pickupable';
}

/** A code that is not in the table has the general text of its class, which stands under the first digit alone. */
function listed(code: string): StateReason {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  const general = present(BY_CODE.get(code.charAt(0)), `the general code of the class of ${code}`);
  return { text: general.text, details: { ...general.details, code } };
}

function reasonFrom({ code, messages, description }: CodeRow): StateReason {
  const category = present(recipientCategory(code), `the category of code ${code}`);
  return { text: description, details: { code, category, messages, description } };
}
