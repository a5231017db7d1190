/** Reviews and checks of senders as the program holds them. */
import type { Hit, ScreenedSubject } from '../screening/sender-screening.ts';
import type { SenderKey } from '../senders/sender.ts';
import type { SenderState } from '../senders/states.ts';

/** identity: nobody is named by a list, the identity is to be looked at. match: a list may name the sender. */
export const REVIEW_REASONS = ['identity', 'match'] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** cleared: the lists name the sender no more. disabled: the caller deleted it. The others are decisions of people. */
export const REVIEW_OUTCOMES = ['approved', 'rejected', 'banned', 'cleared', 'disabled'] as const;
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

export const CHECK_REASONS = ['created', 'edited', 'lifted', 'lists'] as const;
export type CheckReason = (typeof CHECK_REASONS)[number];

/** A hit, and whether an operator had said before that it is somebody else. */
export interface JudgedHit extends Hit {
  readonly isCleared: boolean;
  /** Found before an edit of the identity, while its review was open. */
  readonly isFromBefore?: boolean;
}

export interface SenderCheck extends SenderKey {
  readonly checkId: string;
  readonly reason: CheckReason;
  readonly at: Date;
  readonly listVersion: string;
  /** Whom it was about, as the sender was then; empty for checks from before this was kept. */
  readonly subjects: readonly ScreenedSubject[];
  readonly hits: readonly JudgedHit[];
  readonly from: SenderState;
  readonly to: SenderState;
}

/** The first of two approvals. */
export interface FirstApproval {
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
  /** When the sender had last changed: an approval of another sender than it is now counts for nothing. */
  readonly asOf: Date;
}

export interface Closing {
  readonly at: Date;
  /** Null: it ended by itself. */
  readonly by: string | null;
  readonly reason: string | null;
  readonly outcome: ReviewOutcome;
}

export interface Review extends SenderKey {
  readonly reviewId: string;
  readonly reason: ReviewReason;
  readonly openedAt: Date;
  readonly listVersion: string;
  readonly hits: readonly JudgedHit[];
  readonly approval: FirstApproval | null;
  /** Null while it is open. */
  readonly closing: Closing | null;
}
