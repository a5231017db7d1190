/** The SQL that moves recipients. The lock on their transactions was taken before. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { Recipient } from './recipient.ts';

const UPDATE = `update recipients r
     set state = u.state, state_reason = u.state_reason, state_reason_details = u.state_reason_details::json,
       provider = u.provider, metadata = u.metadata::json, event_count = u.event_count, attempt_id = u.attempt_id,
       attempt_count = u.attempt_count, error_count = u.error_count, next_attempt_at = u.next_attempt_at,
       cancel_requested_at = u.cancel_requested_at, update_requested = u.update_requested, is_claimed = u.is_claimed,
       check_id = u.check_id, is_checked = u.is_checked, check_failures = u.check_failures
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[],
         $10::uuid[], $11::integer[], $12::integer[], $13::timestamptz[], $14::timestamptz[], $15::boolean[],
         $16::boolean[], $17::uuid[], $18::boolean[], $19::integer[])
       as u (account_id, recipient_id, state, state_reason, state_reason_details, provider, metadata, event_count,
         attempt_id, attempt_count, error_count, next_attempt_at, cancel_requested_at, update_requested, is_claimed,
         check_id, is_checked, check_failures)
     where ${onNodeOf('r')} and r.account_id = u.account_id and r.recipient_id = u.recipient_id`;

/** Writes what can change after the creation, but for details and cancellations. */
export async function updateRecipients(tx: Tx, recipients: readonly Recipient[]): Promise<void> {
  if (recipients.length === 0) return;
  const updated = await tx.execute(UPDATE, [
    accountIdsOf(recipients),
    recipients.map((r) => r.accountId),
    recipients.map((r) => r.recipientId),
    recipients.map((r) => r.state),
    recipients.map((r) => r.stateReason),
    recipients.map((r) => (r.stateReasonDetails === null ? null : JSON.stringify(r.stateReasonDetails))),
    recipients.map((r) => r.provider),
    recipients.map((r) => JSON.stringify(r.metadata)),
    recipients.map((r) => r.eventCount),
    recipients.map((r) => r.attemptId),
    recipients.map((r) => r.attemptCount),
    recipients.map((r) => r.errorCount),
    recipients.map((r) => r.nextAttemptAt),
    recipients.map((r) => r.cancelRequestedAt),
    recipients.map((r) => r.updateRequested),
    recipients.map((r) => r.isClaimed),
    recipients.map((r) => r.checkId),
    recipients.map((r) => r.isChecked),
    recipients.map((r) => r.checkFailures),
  ]);
  assert(updated === recipients.length, 'every recipient that moved is stored');
}

/**
 * Who canceled them, and when they ended. Few are: in the update above these columns would cost time in every batch.
 */
export async function updateCanceled(tx: Tx, recipients: readonly Recipient[]): Promise<void> {
  if (recipients.length === 0) return;
  const updated = await tx.execute(
    `update recipients r
     set canceled_by = u.canceled_by, cancel_audit_id = u.cancel_audit_id, ended_at = u.ended_at
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::timestamptz[])
       as u (account_id, recipient_id, canceled_by, cancel_audit_id, ended_at)
     where ${onNodeOf('r')} and r.account_id = u.account_id and r.recipient_id = u.recipient_id`,
    [
      accountIdsOf(recipients),
      recipients.map((r) => r.accountId),
      recipients.map((r) => r.recipientId),
      recipients.map((r) => r.canceledBy),
      recipients.map((r) => r.cancelAuditId),
      recipients.map((r) => r.endedAt),
    ],
  );
  assert(updated === recipients.length, 'every recipient that was canceled is stored');
}

/** An edit: new details for the next attempt, or, in cash, for the running one. */
export async function updatePayoutDetails(tx: Tx, recipients: readonly Recipient[]): Promise<void> {
  if (recipients.length === 0) return;
  const updated = await tx.execute(
    `update recipients r
     set payout_details = u.details::json
     from unnest($2::uuid[], $3::uuid[], $4::text[]) as u (account_id, recipient_id, details)
     where ${onNodeOf('r')} and r.account_id = u.account_id and r.recipient_id = u.recipient_id`,
    [
      accountIdsOf(recipients),
      recipients.map((r) => r.accountId),
      recipients.map((r) => r.recipientId),
      recipients.map((r) => JSON.stringify(r.payoutDetails)),
    ],
  );
  assert(updated === recipients.length, 'every edited recipient is stored');
}
