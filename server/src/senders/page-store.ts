/** The SQL behind the list of senders. Newest first; ids begin with the time and settle what was created at once. */
import type { Tx } from '../kernel/database.ts';
import type { Sender, SenderKey } from './sender.ts';
import { readSenders } from './store.ts';

export interface SenderFilter {
  readonly accountId: string;
  /** Created at or after. */
  readonly from: Date;
  /** Created before. */
  readonly before: Date;
}

export async function pageOfIds(
  tx: Tx,
  { accountId, from, before }: SenderFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<SenderKey[]> {
  const rows = await tx.query<{ sender_id: string }>(
    `select s.sender_id
     from senders s
     where s.account_id = $1::uuid
       and s.created_at >= $2::timestamptz and s.created_at < $3::timestamptz
     order by s.created_at desc, s.sender_id desc
     offset $4::bigint limit $5::integer`,
    [accountId, from, before, offset, limit],
  );
  return rows.map((row) => ({ accountId, senderId: row.sender_id }));
}

export async function countSenders(tx: Tx, { accountId, from, before }: SenderFilter): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from senders s
     where s.account_id = $1::uuid
       and s.created_at >= $2::timestamptz and s.created_at < $3::timestamptz`,
    [accountId, from, before],
  );
  return Number(rows[0]?.count ?? 0n);
}

/** The senders of these keys, in their order. */
export async function readInOrder(tx: Tx, keys: readonly SenderKey[]): Promise<Sender[]> {
  const found = new Map((await readSenders(tx, keys)).map((sender) => [sender.senderId, sender]));
  return keys.flatMap((key) => found.get(key.senderId) ?? []);
}
