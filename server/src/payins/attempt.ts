/**
 * A prompt to the payer. It is stored before the provider hears of it, with a reference of its own, so that it can be
 * asked about whatever happens afterwards.
 */

export interface PayinAttemptKey {
  readonly accountId: string;
  readonly attemptId: string;
}

/** `abandoned`: nobody answered, and we stopped asking. What still comes is recorded all the same. */
export type PayinOutcome = 'paid' | 'failed' | 'canceled' | 'abandoned';

export interface PayinAttempt extends PayinAttemptKey {
  readonly transactionId: string;
  readonly payinMethodId: string;
  /** Counted for each payin method, from 1. */
  readonly number: number;
  readonly provider: string;
  /** As they were sent: an edit comes into force with the next prompt. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Minor units that were asked for. */
  readonly amount: bigint;
  readonly startedAt: Date;
  readonly heardAt: Date | null;
  readonly asks: number;
  /** Null: open. */
  readonly outcome: PayinOutcome | null;
  readonly code: string | null;
  readonly endedAt: Date | null;
  /** The provider said of a paid one that it had failed. */
  readonly contradictedAt: Date | null;
}

export function endedAs(attempt: PayinAttempt, outcome: PayinOutcome, code: string | null, now: Date): PayinAttempt {
  return { ...attempt, outcome, code, endedAt: now };
}
