/**
 * How a published code is shown, of a payout or of a collection: three messages, from the rough one to the exact one,
 * and a description in our words. Spec: Error detail object.
 */
export interface CodeRow {
  readonly code: string;
  /** Published names of the three tiers, letter by letter. */
  readonly messages: readonly [string, string, string];
  readonly description: string;
}

/** Published names that both tables use. */
export const TIERS = {
  PAID: 'Success',
  PENDING: 'Pending',
  ACTION: 'User action required',
  TEMPORARY: 'Temporary error',
  USER: 'User Error',
  DETAILS: 'Invalid user details',
  LIMITS: 'Exceeded limits',
  SENDER: 'Sender / Regulatory Error',
  CANCELED: 'Explicit cancellation requested',
} as const;

export function codeRow(code: string, first: string, second: string, third: string, description: string): CodeRow {
  return { code, messages: [first, second, third], description };
}
