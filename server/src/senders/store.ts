/** The senders' SQL. */
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf } from '../storage/tenants.ts';
import type { Sender, SenderKey, SenderType } from './sender.ts';
import type { SenderState } from './states.ts';

const COLUMNS = `s.account_id, s.sender_id, s.external_id, s.type, s.state, s.state_reason, s.details, s.metadata,
  s.event_count, s.created_at, s.updated_at`;

interface StoredSender {
  account_id: string;
  sender_id: string;
  external_id: string | null;
  type: string;
  state: string;
  state_reason: string | null;
  details: Record<string, unknown>;
  metadata: Record<string, unknown>;
  event_count: number;
  created_at: Date;
  updated_at: Date;
}

/** Locks senders against a change of state while transactions that depend on it are decided, and reads them. */
export async function lockSendersForShare(tx: Tx, keys: readonly SenderKey[]): Promise<Sender[]> {
  const rows = await tx.query<StoredSender>(
    `select ${COLUMNS}
     from senders s
     where s.account_id = any($1::uuid[]) and s.sender_id = any($2::uuid[])
     order by s.account_id, s.sender_id
     for share`,
    [accountIdsOf(keys), keys.map((key) => key.senderId)],
  );
  return rows.map(senderOf);
}

export function senderOf(row: StoredSender): Sender {
  return {
    accountId: row.account_id,
    senderId: row.sender_id,
    externalId: row.external_id,
    // Type and state are check constraints of the table; a test compares them with the state table.
    type: row.type as SenderType,
    state: row.state as SenderState,
    stateReason: row.state_reason,
    details: row.details,
    metadata: row.metadata,
    eventCount: row.event_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
