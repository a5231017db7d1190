/** The SQL that finds a transaction by its id alone, for operators: callers always come with their account. */
import type { Queryable } from '../kernel/database.ts';
import { byIdAlone } from '../storage/tenants.ts';
import type { TransactionKey } from './transaction.ts';

export async function findTransactionOwner(db: Queryable, transactionId: string): Promise<TransactionKey | undefined> {
  const rows = await db.query<{ account_id: string; transaction_id: string }>(
    byIdAlone({ columns: 't.account_id, t.transaction_id', from: 'transactions t', id: 'transaction_id' }),
    [transactionId],
  );
  return rows[0] && { accountId: rows[0].account_id, transactionId: rows[0].transaction_id };
}
