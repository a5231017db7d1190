/**
 * What `payferry ledger verify` can find. States are listed here by their names, because the ledger lies below the
 * slices that own them; a test compares the lists with their tables.
 */

/** What can be wrong, as the report says it. */
export const DIFFERENCE_KINDS = {
  account_unknown: 'the books of an account that does not exist',
  balance_differs: 'a balance is not the sum of its transfers',
  balance_missing: 'there are transfers, and no balance row for them',
  below_zero: 'a balance is below zero and may not be',
  permission_differs: 'the permission to go below zero is not what chart and account say',
  entry_differs: 'the transfers of an entry are not those of the chart',
  held_of_nobody: 'a transfer to or from held belongs to no transaction in that currency',
  held_differs: 'a transaction does not hold what its recipients still have to get',
  paid_amount_differs: 'the paid amount of a transaction is not what was posted for it',
  released_differs: 'what left held for a recipient is not its input amount, or it left too early',
  received_differs: 'what was posted as received by a recipient is not what it got',
  given_back_differs: 'what a payer got back was not taken out of what the collection had brought',
  debit_differs: 'a debit and the funding entry of its transaction do not agree',
  receipt_differs: 'a payment that a provider reported is not in exactly one place of the books',
  suspense_differs: 'suspense is not what arrived and was not decided on',
  resolution_differs: 'a decision about payments is not what was posted for it',
} as const;

export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

export interface Difference {
  readonly kind: DifferenceKind;
  readonly accountId: string;
  /** A balance (`USD held`), or the id of an entry, a transaction or a recipient. */
  readonly where: string;
  /** In minor units, or in words. */
  readonly expected: string;
  readonly found: string;
}

/** Recipients in these states still have their part in `held`; in the undecided ones it is there or has left. */
export const RECIPIENTS_HOLDING = ['initial', 'pending', 'error', 'manual', 'stuck'] as const;
export const RECIPIENTS_UNDECIDED = ['canceled', 'exception'] as const;
export const RECIPIENTS_RELEASED = ['success', 'overpaid', 'refunded'] as const;
/** Of the released ones: those who got their money. */
export const RECIPIENTS_PAID = [
  'success',
  'overpaid',
] as const satisfies readonly (typeof RECIPIENTS_RELEASED)[number][];
