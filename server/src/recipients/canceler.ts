/**
 * Who or what cancels a recipient, whether or not money came for it. It is kept when that is asked for: where a
 * provider has the order, the word that ends it may come days later, from somebody else. Open point OP-230.
 */
export const CANCELED_BY = ['caller', 'operator', 'auto_refund', 'expiry', 'failed_payin'] as const;

export type CanceledBy = (typeof CANCELED_BY)[number];

export interface Canceler {
  /** Null: nobody has, or that was before it was kept. */
  readonly canceledBy: CanceledBy | null;
  /** The line of the audit log, where an operator did it. */
  readonly cancelAuditId: string | null;
}

/** Whoever has no line in the audit log. */
export function cancelerOf(canceledBy: Exclude<CanceledBy, 'operator'>): Canceler {
  return { canceledBy, cancelAuditId: null };
}
