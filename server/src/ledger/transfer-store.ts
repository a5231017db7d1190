/** The SQL that tells what was posted for transactions, and what of it came back. */
import type { Queryable } from '../kernel/database.ts';
import { byKeys, keyLists } from '../storage/tenants.ts';

/** A transfer as it was posted, by the names of the chart. */
export interface PostedTransfer {
  readonly recipientId: string | null;
  readonly entry: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly postedAt: Date;
}

interface StoredTransfer {
  recipient_id: string | null;
  entry: string;
  currency: string;
  from_account: string;
  to_account: string;
  amount: bigint;
  posted_at: Date;
}

/** Everything that was posted for these transactions, the oldest first. */
export async function readTransfersOf(
  db: Queryable,
  transactions: readonly { readonly accountId: string; readonly transactionId: string }[],
): Promise<PostedTransfer[]> {
  const columns =
    't.recipient_id, t.entry, t.currency, t.from_account, t.to_account, t.amount, t.posted_at, t.transfer_id';
  const rows = await db.query<StoredTransfer>(
    `${byKeys({ columns, from: 'ledger_transfers t', id: 'transaction_id' })}
     order by t.posted_at, t.transfer_id`,
    keyLists(transactions, (key) => key.transactionId),
  );
  return rows.map((row) => ({
    recipientId: row.recipient_id,
    entry: row.entry,
    currency: row.currency,
    from: row.from_account,
    to: row.to_account,
    amount: row.amount,
    postedAt: row.posted_at,
  }));
}
