/** The SQL that writes what only collections change: what was paid in, why, and the amounts of their recipient. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { WholeTransaction } from './transaction.ts';

interface CollectionChange {
  readonly before: WholeTransaction;
  readonly after: WholeTransaction;
}

/**
 * Most steps of a collection leave all of this as it was: then nothing is written. The rows are locked, and their
 * states are guarded by the update of their moves in the same commit.
 */
export async function updateCollected(tx: Tx, changes: readonly CollectionChange[]): Promise<void> {
  const paidIn = changes.filter(isPaidIn).map(({ after }) => after);
  await Promise.all([updatePaidIn(tx, paidIn), updateAmounts(tx, changes.flatMap(resized))]);
}

function isPaidIn({ before, after }: CollectionChange): boolean {
  return (
    before.paidAmount !== after.paidAmount ||
    before.fundedAt !== after.fundedAt ||
    before.stateReason !== after.stateReason ||
    before.stateReasonDetails !== after.stateReasonDetails
  );
}

function resized({ before, after }: CollectionChange): Recipient[] {
  const known = new Map(before.recipients.map((recipient) => [recipient.recipientId, recipient]));
  return after.recipients.filter((recipient) => {
    const was = known.get(recipient.recipientId);
    return (
      was?.inputAmount !== recipient.inputAmount ||
      was.outputAmount !== recipient.outputAmount ||
      was.inputUsdAmount !== recipient.inputUsdAmount
    );
  });
}

async function updatePaidIn(tx: Tx, collections: readonly WholeTransaction[]): Promise<void> {
  if (collections.length === 0) return;
  const updated = await tx.execute(
    `update transactions t
     set paid_amount = u.paid_amount, funded_at = u.funded_at, state_reason = u.state_reason,
       state_reason_details = u.state_reason_details::json
     from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::timestamptz[], $6::text[], $7::text[])
       as u (account_id, transaction_id, paid_amount, funded_at, state_reason, state_reason_details)
     where ${onNodeOf('t')} and t.account_id = u.account_id and t.transaction_id = u.transaction_id`,
    [
      accountIdsOf(collections),
      collections.map((t) => t.accountId),
      collections.map((t) => t.transactionId),
      collections.map((t) => t.paidAmount),
      collections.map((t) => t.fundedAt),
      collections.map((t) => t.stateReason),
      collections.map((t) => (t.stateReasonDetails === null ? null : JSON.stringify(t.stateReasonDetails))),
    ],
  );
  assert(updated === collections.length, 'every collection that changed is stored');
}

async function updateAmounts(tx: Tx, recipients: readonly Recipient[]): Promise<void> {
  if (recipients.length === 0) return;
  const updated = await tx.execute(
    `update recipients r
     set input_amount = u.input_amount, output_amount = u.output_amount, input_usd_amount = u.input_usd_amount
     from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[])
       as u (account_id, recipient_id, input_amount, output_amount, input_usd_amount)
     where ${onNodeOf('r')} and r.account_id = u.account_id and r.recipient_id = u.recipient_id`,
    [
      accountIdsOf(recipients),
      recipients.map((r) => r.accountId),
      recipients.map((r) => r.recipientId),
      recipients.map((r) => r.inputAmount),
      recipients.map((r) => r.outputAmount),
      recipients.map((r) => r.inputUsdAmount),
    ],
  );
  assert(updated === recipients.length, 'every recipient of a collection is stored');
}
