/** A payin method as the program holds it: how the payer of a collection pays. Spec: Payin method (collections). */
import type { UxFlow } from '../corridors/corridor.ts';
import type { CollectionReason } from './state-reason.ts';
import type { PayinMethodState } from './states.ts';

export interface PayinMethodKey {
  readonly accountId: string;
  readonly payinMethodId: string;
}

type Bag = Readonly<Record<string, unknown>>;

export interface PayinMethod extends PayinMethodKey {
  readonly transactionId: string;
  readonly position: number;
  readonly type: string;
  readonly uxFlow: UxFlow;
  readonly inDetails: Bag;
  /** What the payer needs to know, for programs. */
  readonly outDetails: Bag;
  /** The same for people. */
  readonly instructions: Bag;
  readonly state: PayinMethodState;
  readonly stateReasonDetails: CollectionReason | null;
  readonly provider: string | null;
  readonly eventCount: number;
  readonly createdAt: Date;
  /** The last prompt; null until there was one. */
  readonly attemptId: string | null;
  readonly attemptCount: number;
  /** Failed prompts since the caller last edited or retried it. */
  readonly errorCount: number;
  /** When the payer is prompted next, or the provider asked. Null while initial and never tried: once it may be. */
  readonly nextAttemptAt: Date | null;
  /** The open prompt is to be taken back. */
  readonly cancelRequestedAt: Date | null;
  /** A one-time code waits to be handed to the provider. */
  readonly otpGiven: boolean;
  readonly otpRejected: boolean;
  /** A call to its provider is under way, or somebody died over it. */
  readonly isClaimed: boolean;
}

/** What a new payin method has of prompts: none. */
export const NOT_PROMPTED = {
  provider: null,
  attemptId: null,
  attemptCount: 0,
  errorCount: 0,
  nextAttemptAt: null,
  cancelRequestedAt: null,
  otpGiven: false,
  otpRejected: false,
  isClaimed: false,
} as const satisfies Partial<PayinMethod>;
