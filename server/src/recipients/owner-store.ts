/** The SQL that finds a recipient by its id alone, for operators: callers always come with their account. */
import type { Queryable } from '../kernel/database.ts';
import type { RecipientKey } from './recipient.ts';

export interface OwnedRecipient extends RecipientKey {
  readonly transactionId: string;
}

/**
 * One look into the primary key for each account, which `limit` keeps the planner from making a join: rare enough to go
 * without an index that every payout would pay for.
 */
export async function findRecipientOwner(db: Queryable, recipientId: string): Promise<OwnedRecipient | undefined> {
  const rows = await db.query<{ account_id: string; recipient_id: string; transaction_id: string }>(
    `select r.account_id, r.recipient_id, r.transaction_id
     from accounts a
     cross join lateral (
       select r.account_id, r.recipient_id, r.transaction_id from recipients r
       where r.account_id = a.account_id and r.recipient_id = $1::uuid
       limit 1
     ) r`,
    [recipientId],
  );
  const row = rows[0];
  return row && { accountId: row.account_id, recipientId: row.recipient_id, transactionId: row.transaction_id };
}
