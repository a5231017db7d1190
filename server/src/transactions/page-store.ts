/**
 * The SQL behind the list of transactions. Newest first; ids begin with the time and settle what was created at once.
 */
import { present } from '../kernel/assert.ts';
import type { Cursor } from '../kernel/cursor.ts';
import type { Tx } from '../kernel/database.ts';
import { narrow, wish } from '../storage/narrow.ts';
import type { TransactionKey } from './transaction.ts';

interface TransactionFilter {
  readonly accountId: string;
  readonly senderId: string | null;
}

export async function pageOfIds(
  tx: Tx,
  { accountId, senderId }: TransactionFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<TransactionKey[]> {
  const { and, values } = narrow([accountId, offset, limit], [ofSender(senderId)]);
  const rows = await tx.query<{ transaction_id: string }>(
    `select t.transaction_id
     from transactions t
     where t.account_id = $1::uuid ${and}
     order by t.created_at desc, t.transaction_id desc
     offset $2::bigint limit $3::integer`,
    values,
  );
  return rows.map((row) => ({ accountId, transactionId: row.transaction_id }));
}

export async function countTransactions(tx: Tx, { accountId, senderId }: TransactionFilter): Promise<number> {
  const { and, values } = narrow([accountId], [ofSender(senderId)]);
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from transactions t
     where t.account_id = $1::uuid ${and}`,
    values,
  );
  return Number(present(rows[0], 'count of transactions').count);
}

function ofSender(senderId: string | null) {
  return wish('t.sender_id = ?::uuid', senderId);
}

/** Those that are older than this one, along the index of the newest, or the sender's, however far back it is. */
export async function idsBefore(
  tx: Tx,
  { accountId, senderId }: TransactionFilter,
  { before, limit }: { readonly before: Cursor; readonly limit: number },
): Promise<TransactionKey[]> {
  const { and, values } = narrow([accountId, before.at, before.id, limit], [ofSender(senderId)]);
  const rows = await tx.query<{ transaction_id: string }>(
    `select t.transaction_id
     from transactions t
     where t.account_id = $1::uuid and (t.created_at, t.transaction_id) < ($2::timestamptz, $3::uuid) ${and}
     order by t.created_at desc, t.transaction_id desc
     limit $4::integer`,
    values,
  );
  return rows.map((row) => ({ accountId, transactionId: row.transaction_id }));
}
