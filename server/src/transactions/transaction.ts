/**
 * A transaction as the program holds it: the row, and the whole with its sender, recipients and payin methods. Spec:
 * Transaction.
 */
import type { CurrencyCode } from '../money/currencies.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import type { Recipient, StateReasonDetails } from '../recipients/recipient.ts';
import type { Sender } from '../senders/sender.ts';
import type { TransactionState } from './states.ts';

export interface TransactionKey {
  readonly accountId: string;
  readonly transactionId: string;
}

export interface Transaction extends TransactionKey {
  readonly externalId: string | null;
  readonly senderId: string;
  readonly state: TransactionState;
  readonly stateReason: string | null;
  readonly stateReasonDetails: StateReasonDetails | null;
  readonly inputCurrency: CurrencyCode;
  readonly inputAmount: bigint;
  readonly paidAmount: bigint;
  readonly isCollection: boolean;
  readonly autoRefund: boolean;
  readonly accountValidation: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly eventCount: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly fundedAt: Date | null;
}

/** With everything that a read shows. Recipients are in their order. */
export interface WholeTransaction extends Transaction {
  readonly sender: Sender;
  readonly recipients: readonly Recipient[];
  /** In their order. Empty for a payout. */
  readonly payinMethods: readonly PayinMethod[];
}
