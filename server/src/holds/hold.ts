/** One reason for which a transaction was put under review, and what became of it. Open points OP-201 and OP-204. */
import type { Sender } from '../senders/sender.ts';
import { canTransact } from '../senders/states.ts';

const HOLD_REASONS = ['rules', 'sender'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** A rule as it was when it matched. */
export interface MatchedRule {
  readonly rule_id: string;
  readonly says: string;
}

export interface Hold {
  readonly accountId: string;
  readonly transactionId: string;
  readonly holdId: string;
  readonly reason: HoldReason;
  /** Empty for the sender. */
  readonly rules: readonly MatchedRule[];
  readonly heldAt: Date;
  readonly decision: HoldDecision | null;
}

export interface HoldDecision {
  /** `ended`: nobody decided about it; its transaction came to its end in another way. */
  readonly what: 'released' | 'canceled' | 'ended';
  readonly at: Date;
  /** Name of the operator; null: by itself, or the caller did. */
  readonly by: string | null;
  readonly reason: string | null;
}

/**
 * Whether what was funded has to wait because of its sender: the sender was approved then, so that every other state
 * tells of doubts that came later. One that the caller deleted is doubted no more than before: deleting neither stops
 * payouts nor frees those that had to wait. Open point OP-204.
 */
export function isBarred({ state, disabledFrom }: Pick<Sender, 'state' | 'disabledFrom'>): boolean {
  return state === 'disabled' ? disabledFrom !== null && !canTransact(disabledFrom) : !canTransact(state);
}
