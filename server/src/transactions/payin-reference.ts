/** What the payer of a collection quotes, so that a payment finds its transaction. Open point OP-22. */

/** As many as the published sample has; the end of an id is the part that no two share. */
const REFERENCE_CHARS = 16;

/** What out_details call it: the published types differ. */
export const REFERENCE_NAMES = ['reference', 'Reference'] as const;

export function payinReferenceOf({ transactionId }: { readonly transactionId: string }): string {
  return transactionId.replaceAll('-', '').slice(-REFERENCE_CHARS).toUpperCase();
}
