/** A recipient as the program holds it. Spec: Recipient, Payout method, Error detail object. */
import type { CurrencyCode } from '../money/currencies.ts';
import type { Canceler } from './canceler.ts';
import type { RecipientCategory } from './error-codes.ts';
import type { RecipientState } from './states.ts';

export type RecipientType = 'person' | 'business';

export interface RecipientKey {
  readonly accountId: string;
  readonly recipientId: string;
}

/** Why a payout failed, for support staff. Spec: Error detail object. */
export interface StateReasonDetails<Category extends string = string> {
  readonly code: string;
  readonly category: Category;
  readonly messages: readonly string[];
  readonly description: string;
}

export interface Recipient extends RecipientKey, Canceler {
  readonly transactionId: string;
  readonly position: number;
  readonly type: RecipientType;
  readonly state: RecipientState;
  readonly stateReason: string | null;
  readonly stateReasonDetails: StateReasonDetails<RecipientCategory> | null;
  readonly requestedAmount: bigint;
  readonly requestedCurrency: CurrencyCode;
  readonly inputAmount: bigint;
  readonly inputCurrency: CurrencyCode;
  readonly outputAmount: bigint;
  readonly outputCurrency: CurrencyCode;
  /** US cents at the mid rate of creation; null when there was no rate. */
  readonly inputUsdAmount: bigint | null;
  /** That rate, as `rate` has its own, where the input amount may still become another one; null otherwise. */
  readonly usdRate: string | null;
  /** The quoted rate, input to output, as an exact fraction (rates/rate.ts). */
  readonly rate: string;
  readonly payoutMethodId: string;
  readonly payoutType: string;
  readonly payoutDetails: Readonly<Record<string, unknown>>;
  readonly payoutMetadata: Readonly<Record<string, unknown>>;
  readonly provider: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly eventCount: number;
  readonly createdAt: Date;
  /** The last attempt to pay it; null until one was made. */
  readonly attemptId: string | null;
  readonly attemptCount: number;
  /** Failed attempts since the details were last edited. */
  readonly errorCount: number;
  /**
   * When the next attempt is made, or the running one asked about. Null while initial means: as soon as it is funded.
   */
  readonly nextAttemptAt: Date | null;
  /** Its cancellation is remembered: no further attempt, refunded when the running one fails. */
  readonly cancelRequestedAt: Date | null;
  /** When it came to be canceled or refunded. It stays when a provider says later that it was paid all the same. */
  readonly endedAt: Date | null;
  /** Cash: the provider still has to be told of edited details. */
  readonly updateRequested: boolean;
  /** A call to its provider, or a check of its account, is under way, or somebody died over it. */
  readonly isClaimed: boolean;
  /** The check of its account that is under way. */
  readonly checkId: string | null;
  /** Its details have passed the check, and were not edited since. */
  readonly isChecked: boolean;
  /** Checks in a row that could not verify the account. */
  readonly checkFailures: number;
}

/** What a new recipient has of attempts: none. */
export const NOT_TRIED = {
  attemptId: null,
  attemptCount: 0,
  errorCount: 0,
  nextAttemptAt: null,
  cancelRequestedAt: null,
  canceledBy: null,
  cancelAuditId: null,
  endedAt: null,
  updateRequested: false,
  isClaimed: false,
  checkId: null,
  isChecked: false,
  checkFailures: 0,
} as const satisfies Partial<Recipient>;
