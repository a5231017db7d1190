/**
 * A payout method that a caller keeps for later use: a type with its details, checked. Published beside the
 * specification. It belongs to the account, and transactions carry their own details. Open point OP-129.
 */
import type { Details, RecipientType } from '../corridors/corridor.ts';

/** Of the states only `enabled` is published, as a sample; a deleted one is `disabled`. Open point OP-130. */
export const STATES = ['enabled', 'disabled'] as const;
export type PayoutMethodState = (typeof STATES)[number];

export interface PayoutMethodKey {
  readonly accountId: string;
  readonly payoutMethodId: string;
}

export interface PayoutMethod extends PayoutMethodKey {
  readonly state: PayoutMethodState;
  /** Never changes. */
  readonly type: string;
  /** By whose rules the details were checked. */
  readonly recipientType: RecipientType;
  readonly details: Details;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
