/** The recipients' SQL. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
import { byKeys, keyLists } from '../storage/tenants.ts';
import type { CanceledBy } from './canceler.ts';
import type { RecipientCategory } from './error-codes.ts';
import type { Recipient, RecipientKey, RecipientType, StateReasonDetails } from './recipient.ts';
import type { RecipientState } from './states.ts';

const COLUMNS = `r.account_id, r.recipient_id, r.transaction_id, r.position, r.type, r.state, r.state_reason,
  r.state_reason_details, r.requested_amount, r.requested_currency, r.input_amount, r.input_currency, r.output_amount,
  r.output_currency, r.input_usd_amount, r.usd_rate, r.rate, r.payout_method_id, r.payout_type, r.payout_details,
  r.payout_metadata, r.provider, r.metadata, r.event_count, r.created_at, r.attempt_id, r.attempt_count, r.error_count,
  r.next_attempt_at, r.cancel_requested_at, r.update_requested, r.is_claimed,
  r.check_id, r.is_checked, r.check_failures, r.canceled_by, r.cancel_audit_id, r.ended_at`;

interface StoredRecipient {
  account_id: string;
  recipient_id: string;
  transaction_id: string;
  position: number;
  type: string;
  state: string;
  state_reason: string | null;
  state_reason_details: StateReasonDetails<RecipientCategory> | null;
  requested_amount: bigint;
  requested_currency: string;
  input_amount: bigint;
  input_currency: string;
  output_amount: bigint;
  output_currency: string;
  input_usd_amount: bigint | null;
  usd_rate: string | null;
  rate: string;
  payout_method_id: string;
  payout_type: string;
  payout_details: Record<string, unknown>;
  payout_metadata: Record<string, unknown>;
  provider: string | null;
  metadata: Record<string, unknown>;
  event_count: number;
  created_at: Date;
  attempt_id: string | null;
  attempt_count: number;
  error_count: number;
  next_attempt_at: Date | null;
  cancel_requested_at: Date | null;
  update_requested: boolean;
  is_claimed: boolean;
  check_id: string | null;
  is_checked: boolean;
  check_failures: number;
  canceled_by: string | null;
  cancel_audit_id: string | null;
  ended_at: Date | null;
}

export interface OfTransaction {
  readonly accountId: string;
  readonly transactionId: string;
}

const OF_TRANSACTIONS = `${byKeys({ columns: COLUMNS, from: 'recipients r', id: 'transaction_id' })}
     order by r.account_id, r.transaction_id, r.position`;

/** All recipients of the transactions, each transaction's in their order. The caller has locked the transactions. */
export async function readRecipientsOf(tx: Tx, transactions: readonly OfTransaction[]): Promise<Recipient[]> {
  const rows = await tx.query<StoredRecipient>(
    OF_TRANSACTIONS,
    keyLists(transactions, (key) => key.transactionId),
  );
  return rows.map(recipientOf);
}

/** Which transactions these recipients belong to. */
export async function findTransactionsOf(
  tx: Tx,
  keys: readonly RecipientKey[],
): Promise<(RecipientKey & OfTransaction)[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<{ account_id: string; recipient_id: string; transaction_id: string }>(
    byKeys({ columns: 'r.account_id, r.recipient_id, r.transaction_id', from: 'recipients r', id: 'recipient_id' }),
    keyLists(keys, (key) => key.recipientId),
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    recipientId: row.recipient_id,
    transactionId: row.transaction_id,
  }));
}

const RECIPIENTS = rowsOf<Recipient>('recipients', {
  account_id: ['uuid', (r) => r.accountId],
  recipient_id: ['uuid', (r) => r.recipientId],
  transaction_id: ['uuid', (r) => r.transactionId],
  position: ['smallint', (r) => r.position],
  type: ['text', (r) => r.type],
  state: ['text', (r) => r.state],
  requested_amount: ['bigint', (r) => r.requestedAmount],
  requested_currency: ['text', (r) => r.requestedCurrency],
  input_amount: ['bigint', (r) => r.inputAmount],
  input_currency: ['text', (r) => r.inputCurrency],
  output_amount: ['bigint', (r) => r.outputAmount],
  output_currency: ['text', (r) => r.outputCurrency],
  input_usd_amount: ['bigint', (r) => r.inputUsdAmount],
  usd_rate: ['text', (r) => r.usdRate],
  rate: ['text', (r) => r.rate],
  payout_method_id: ['uuid', (r) => r.payoutMethodId],
  payout_type: ['text', (r) => r.payoutType],
  payout_details: ['json', (r) => JSON.stringify(r.payoutDetails)],
  payout_metadata: ['json', (r) => JSON.stringify(r.payoutMetadata)],
  provider: ['text', (r) => r.provider],
  metadata: ['json', (r) => JSON.stringify(r.metadata)],
  event_count: ['integer', (r) => r.eventCount],
  created_at: ['timestamptz', (r) => r.createdAt],
});

export function insertRecipients(tx: Tx, recipients: readonly Recipient[]): Promise<void> {
  return addRows(tx, RECIPIENTS, recipients);
}

function recipientOf(row: StoredRecipient): Recipient {
  return {
    accountId: row.account_id,
    recipientId: row.recipient_id,
    transactionId: row.transaction_id,
    position: row.position,
    // Type, state and canceled_by are check constraints of the table; a test compares them with the code.
    type: row.type as RecipientType,
    state: row.state as RecipientState,
    stateReason: row.state_reason,
    stateReasonDetails: row.state_reason_details,
    requestedAmount: row.requested_amount,
    requestedCurrency: knownCurrency(row.requested_currency),
    inputAmount: row.input_amount,
    inputCurrency: knownCurrency(row.input_currency),
    outputAmount: row.output_amount,
    outputCurrency: knownCurrency(row.output_currency),
    inputUsdAmount: row.input_usd_amount,
    usdRate: row.usd_rate,
    rate: row.rate,
    payoutMethodId: row.payout_method_id,
    payoutType: row.payout_type,
    payoutDetails: row.payout_details,
    payoutMetadata: row.payout_metadata,
    provider: row.provider,
    metadata: row.metadata,
    eventCount: row.event_count,
    createdAt: row.created_at,
    attemptId: row.attempt_id,
    attemptCount: row.attempt_count,
    errorCount: row.error_count,
    nextAttemptAt: row.next_attempt_at,
    cancelRequestedAt: row.cancel_requested_at,
    updateRequested: row.update_requested,
    isClaimed: row.is_claimed,
    checkId: row.check_id,
    isChecked: row.is_checked,
    checkFailures: row.check_failures,
    canceledBy: row.canceled_by as CanceledBy | null,
    cancelAuditId: row.cancel_audit_id,
    endedAt: row.ended_at,
  };
}

function knownCurrency(code: string): CurrencyCode {
  assert(isCurrency(code), `stored currency ${code} is known`);
  return code;
}
