/**
 * The classes of the codes in the state_reason_details of a collection. A code belongs to the class of its first digit;
 * a code without a class is no code of ours. Spec: Error detail object, transaction code classes.
 */

interface CodeClassRow {
  readonly class: string;
  readonly category: string;
  readonly meaning: string;
}

export const CODE_CLASSES = [
  { class: '0', category: 'paid', meaning: 'the money is collected' },
  { class: '1x', category: 'pending', meaning: 'the payer has not paid yet' },
  { class: '2x', category: 'sender_action_required', meaning: 'the payer has to act' },
  {
    class: '3x',
    category: 'temporary_error',
    meaning: 'the provider takes nothing for now; collected later; the payin may be edited or retried',
  },
] as const satisfies readonly CodeClassRow[];

/** Published beyond the specification's four; the name of the last one is that of payouts. Open point OP-24. */
export const FURTHER_CODE_CLASSES = [
  { class: '4xx', category: 'user_invalid_data_error', meaning: 'the details of the payer are wrong: edit and retry' },
  { class: '5xx', category: 'sender_error', meaning: 'cannot be collected in this form: not prompted again by itself' },
] as const satisfies readonly CodeClassRow[];

export type CollectionCategory = (typeof CODE_CLASSES | typeof FURTHER_CODE_CLASSES)[number]['category'];

/** Published as faults of the payer's details although they stand in the class of the sender. */
const DETAILS_IN_CLASS_5: readonly string[] = ['541', '543'];

/** One to three digits; `0` stands alone. */
const CODE = /^(?:0|[1-9][0-9]{0,2})$/;

export function collectionCategory(code: string): CollectionCategory | undefined {
  if (DETAILS_IN_CLASS_5.includes(code)) return 'user_invalid_data_error';
  if (!CODE.test(code)) return undefined;
  return [...CODE_CLASSES, ...FURTHER_CODE_CLASSES].find((row) => row.class.charAt(0) === code.charAt(0))?.category;
}
