/** The SQL that finds a transaction by its id alone, for operators: callers always come with their account. */
import type { Queryable } from '../kernel/database.ts';
import type { TransactionKey } from './transaction.ts';

/** One look into the primary key for each account: rare enough to go without an index that every payout would pay for. */
export async function findTransactionOwner(db: Queryable, transactionId: string): Promise<TransactionKey | undefined> {
  const rows = await db.query<{ account_id: string; transaction_id: string }>(
    `select t.account_id, t.transaction_id
     from accounts a
     join transactions t on t.account_id = a.account_id
     where t.transaction_id = $1::uuid`,
    [transactionId],
  );
  return rows[0] && { accountId: rows[0].account_id, transactionId: rows[0].transaction_id };
}
