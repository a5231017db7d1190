/** The recipients' SQL. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { CanceledBy } from './canceler.ts';
import type { RecipientCategory } from './error-codes.ts';
import type { Recipient, RecipientKey, RecipientType, StateReasonDetails } from './recipient.ts';
import type { RecipientState } from './states.ts';

const COLUMNS = `r.account_id, r.recipient_id, r.transaction_id, r.position, r.type, r.state, r.state_reason,
  r.state_reason_details, r.requested_amount, r.requested_currency, r.input_amount, r.input_currency, r.output_amount,
  r.output_currency, r.input_usd_amount, r.rate, r.payout_method_id, r.payout_type, r.payout_details,
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

const INSERT = `insert into recipients (account_id, recipient_id, transaction_id, position, type, state, state_reason,
       state_reason_details, requested_amount, requested_currency, input_amount, input_currency, output_amount,
       output_currency, input_usd_amount, rate, payout_method_id, payout_type, payout_details, payout_metadata,
       provider, metadata, event_count, created_at)
     select a.account_id, u.recipient_id, u.transaction_id, u.position, u.type, u.state, null, null,
       u.requested_amount, u.requested_currency, u.input_amount, u.input_currency, u.output_amount,
       u.output_currency, u.input_usd_amount, u.rate, u.payout_method_id, u.payout_type, u.payout_details::json,
       u.payout_metadata::json, u.provider, u.metadata::json, u.event_count, u.created_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::smallint[], $6::text[], $7::text[], $8::bigint[],
         $9::text[], $10::bigint[], $11::text[], $12::bigint[], $13::text[], $14::bigint[], $15::text[], $16::uuid[],
         $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::integer[], $23::timestamptz[])
       as u (account_id, recipient_id, transaction_id, position, type, state, requested_amount, requested_currency,
         input_amount, input_currency, output_amount, output_currency, input_usd_amount, rate, payout_method_id,
         payout_type, payout_details, payout_metadata, provider, metadata, event_count, created_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`;

export async function insertRecipients(tx: Tx, recipients: readonly Recipient[]): Promise<void> {
  if (recipients.length === 0) return;
  const inserted = await tx.execute(INSERT, [
    accountIdsOf(recipients),
    recipients.map((r) => r.accountId),
    recipients.map((r) => r.recipientId),
    recipients.map((r) => r.transactionId),
    recipients.map((r) => r.position),
    recipients.map((r) => r.type),
    recipients.map((r) => r.state),
    recipients.map((r) => r.requestedAmount),
    recipients.map((r) => r.requestedCurrency),
    recipients.map((r) => r.inputAmount),
    recipients.map((r) => r.inputCurrency),
    recipients.map((r) => r.outputAmount),
    recipients.map((r) => r.outputCurrency),
    recipients.map((r) => r.inputUsdAmount),
    recipients.map((r) => r.rate),
    recipients.map((r) => r.payoutMethodId),
    recipients.map((r) => r.payoutType),
    recipients.map((r) => JSON.stringify(r.payoutDetails)),
    recipients.map((r) => JSON.stringify(r.payoutMetadata)),
    recipients.map((r) => r.provider),
    recipients.map((r) => JSON.stringify(r.metadata)),
    recipients.map((r) => r.eventCount),
    recipients.map((r) => r.createdAt),
  ]);
  assert(inserted === recipients.length, 'every recipient was stored');
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
