/** The SQL that finds a recipient by its id alone, for operators: callers always come with their account. */
import type { Queryable } from '../kernel/database.ts';
import { byIdAlone } from '../storage/tenants.ts';
import type { RecipientKey } from './recipient.ts';

export interface OwnedRecipient extends RecipientKey {
  readonly transactionId: string;
}

export async function findRecipientOwner(db: Queryable, recipientId: string): Promise<OwnedRecipient | undefined> {
  const rows = await db.query<{ account_id: string; recipient_id: string; transaction_id: string }>(
    byIdAlone({ columns: 'r.account_id, r.recipient_id, r.transaction_id', from: 'recipients r', id: 'recipient_id' }),
    [recipientId],
  );
  const row = rows[0];
  return row && { accountId: row.account_id, recipientId: row.recipient_id, transactionId: row.transaction_id };
}
