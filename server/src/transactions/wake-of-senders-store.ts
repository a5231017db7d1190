/**
 * The SQL by which transactions follow their sender. The sender's row is locked by the caller, so that no transaction
 * of it is created or funded meanwhile; transactions are locked in the order of every operation before they are
 * changed.
 */
import type { Tx } from '../kernel/database.ts';
import type { SenderKey } from '../senders/sender.ts';
import { accountIdsOf, keyLists, onNodeOf } from '../storage/tenants.ts';
import { GROUPS, transactionTable } from './states.ts';
import type { TransactionKey } from './transaction.ts';

/** Locks all that the two statements below may change, in one order: between them nobody else gets in. */
export async function lockTransactionsOf(tx: Tx, senderKeys: readonly SenderKey[]): Promise<void> {
  await lockOf(tx, senderKeys, {
    states: [...transactionTable.sources('approve'), ...GROUPS.funded],
    unexpiredAt: null,
  });
}

/** Funded ones that are not finished have work now: the engine looks again at whether their sender can transact. */
export async function wakeTransactionsOf(tx: Tx, senderKeys: readonly SenderKey[], at: Date): Promise<number> {
  const keys = await lockOf(tx, senderKeys, { states: GROUPS.funded, unexpiredAt: null });
  if (keys.length === 0) return 0;
  return tx.execute(
    `update transactions t
     set due_at = least(t.due_at, $4::timestamptz)
     from unnest($2::uuid[], $3::uuid[]) as k (account_id, transaction_id)
     where ${onNodeOf('t')} and t.account_id = k.account_id and t.transaction_id = k.transaction_id
       and t.funded_at is not null`,
    [...keyLists(keys, (key) => key.transactionId), at],
  );
}

/**
 * Those that waited for their sender can be funded, for the rest of their hour. The payers of collections are prompted
 * now.
 */
export async function approveTransactionsOf(tx: Tx, senderKeys: readonly SenderKey[], at: Date): Promise<number> {
  const states = transactionTable.sources('approve');
  const keys = await lockOf(tx, senderKeys, { states, unexpiredAt: at });
  if (keys.length === 0) return 0;
  return tx.execute(
    `update transactions t
     set state = $5, due_at = case when t.is_collection then least(t.due_at, $6::timestamptz) else t.due_at end
     from unnest($2::uuid[], $3::uuid[]) as k (account_id, transaction_id)
     where ${onNodeOf('t')} and t.account_id = k.account_id and t.transaction_id = k.transaction_id
       and t.state = any($4::text[])`,
    [...keyLists(keys, (key) => key.transactionId), states, transactionTable.mustMove('initial', 'approve'), at],
  );
}

async function lockOf(
  tx: Tx,
  senderKeys: readonly SenderKey[],
  { states, unexpiredAt }: { states: readonly string[]; unexpiredAt: Date | null },
): Promise<TransactionKey[]> {
  if (senderKeys.length === 0) return [];
  const rows = await tx.query<{ account_id: string; transaction_id: string; sender_id: string }>(
    `select t.account_id, t.transaction_id, t.sender_id
     from transactions t
     where t.account_id = any($1::uuid[]) and t.sender_id = any($2::uuid[]) and t.state = any($3::text[])
       and ($4::timestamptz is null or t.expires_at > $4::timestamptz)
     order by t.account_id, t.transaction_id
     for update`,
    [accountIdsOf(senderKeys), senderKeys.map((key) => key.senderId), states, unexpiredAt],
  );
  const wanted = new Set(senderKeys.map(({ accountId, senderId }) => `${accountId} ${senderId}`));
  return rows.flatMap(({ account_id: accountId, transaction_id: transactionId, sender_id: senderId }) =>
    wanted.has(`${accountId} ${senderId}`) ? [{ accountId, transactionId }] : [],
  );
}
