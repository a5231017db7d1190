/** A debit: the funding of one transaction from the balance, as asked for and as done. Spec: Debit, endpoint 6. */
import type { CurrencyCode } from '../money/currencies.ts';

/** One element of the request, already checked for its form. Ids are made before the batch. */
export interface DebitRequest {
  readonly debitId: string;
  readonly toId: string;
  readonly currency?: string;
  /** As the caller wrote it; it is read in the currency of the transaction. */
  readonly amount?: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Debit {
  readonly accountId: string;
  readonly debitId: string;
  readonly transactionId: string;
  readonly amount: bigint;
  readonly currency: CurrencyCode;
  readonly usdAmount: bigint | null;
  readonly runningBalance: bigint;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}
