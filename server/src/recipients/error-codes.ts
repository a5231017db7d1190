/**
 * The classes of the codes in a recipient's state_reason_details, and what follows from them. A code belongs to the
 * class of its first digit; a code without a class is no code of ours, and nothing is guessed for it.
 * Spec: Error detail object, recipient code classes. Open points OP-24 and OP-25.
 */

interface CodeClassRow {
  readonly class: string;
  readonly category: string;
  readonly meaning: string;
}

export const CODE_CLASSES = [
  { class: '0', category: 'paid', meaning: 'the recipient has the money' },
  { class: '1x', category: 'unknown', meaning: 'the outcome is awaited' },
  { class: '2x', category: 'pickupable', meaning: 'the recipient has to act, for example to pick up cash' },
  { class: '3xx', category: 'temporary_error', meaning: 'failed for now; tried again by itself' },
  { class: '4xx', category: 'recipient_error', meaning: 'the recipient details are wrong: edit or cancel' },
  { class: '5xx', category: 'sender_error', meaning: 'cannot be paid in this form' },
] as const satisfies readonly CodeClassRow[];

export type RecipientCategory = (typeof CODE_CLASSES)[number]['category'];

/** Published as errors of the recipient although they stand in the class of the sender: mended by an edit. */
const RECIPIENT_ERRORS_IN_CLASS_5: readonly string[] = ['541', '543'];

/** One to three digits; `0` stands alone. */
const CODE = /^(?:0|[1-9][0-9]{0,2})$/;

export function recipientCategory(code: string): RecipientCategory | undefined {
  if (RECIPIENT_ERRORS_IN_CLASS_5.includes(code)) return 'recipient_error';
  if (!CODE.test(code)) return undefined;
  return CODE_CLASSES.find((row) => row.class.charAt(0) === code.charAt(0))?.category;
}

/** The same details may succeed later. On the wire the flag `retriable`, while it is in error. */
export function isRetriable(category: RecipientCategory): boolean {
  return category === 'temporary_error';
}
