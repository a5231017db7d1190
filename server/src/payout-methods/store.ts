/** The SQL of payout methods that callers keep. */

import type { RecipientType } from '../corridors/corridor.ts';
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { PayoutMethod, PayoutMethodKey, PayoutMethodState } from './payout-method.ts';

const COLUMNS = `p.account_id, p.payout_method_id, p.state, p.type, p.recipient_type, p.details, p.metadata, p.created_at,
  p.updated_at`;

interface StoredMethod {
  account_id: string;
  payout_method_id: string;
  state: string;
  type: string;
  recipient_type: string;
  details: Record<string, unknown>;
  metadata: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

export async function readMethods(tx: Tx, keys: readonly PayoutMethodKey[]): Promise<PayoutMethod[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredMethod>(
    byKeys({ columns: COLUMNS, from: 'payout_methods p', id: 'payout_method_id' }),
    keyLists(keys, (key) => key.payoutMethodId),
  );
  return rows.map(methodOf);
}

export async function lockMethods(tx: Tx, keys: readonly PayoutMethodKey[]): Promise<PayoutMethod[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<StoredMethod>(
    byKeys({ columns: COLUMNS, from: 'payout_methods p', id: 'payout_method_id', lock: 'for no key update' }),
    keyLists(keys, (key) => key.payoutMethodId),
  );
  return rows.map(methodOf);
}

export async function insertMethods(tx: Tx, methods: readonly PayoutMethod[]): Promise<void> {
  if (methods.length === 0) return;
  const inserted = await tx.execute(
    `insert into payout_methods (account_id, payout_method_id, state, type, recipient_type, details, metadata, created_at,
       updated_at)
     select a.account_id, u.payout_method_id, u.state, u.type, u.recipient_type, u.details::json, u.metadata::json,
       u.created_at, u.updated_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
         $10::timestamptz[])
       as u (account_id, payout_method_id, state, recipient_type, details, metadata, type, created_at, updated_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      ...changedColumns(methods),
      methods.map((method) => method.type),
      methods.map((method) => method.createdAt),
      methods.map((method) => method.updatedAt),
    ],
  );
  assert(inserted === methods.length, 'every payout method was stored');
}

/** The type and the time of creation never change. One row for each method: the last state of it in its batch. */
export async function updateMethods(tx: Tx, methods: readonly PayoutMethod[]): Promise<void> {
  if (methods.length === 0) return;
  const updated = await tx.execute(
    `update payout_methods p
     set state = u.state, recipient_type = u.recipient_type, details = u.details::json, metadata = u.metadata::json,
       updated_at = u.updated_at
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
       as u (account_id, payout_method_id, state, recipient_type, details, metadata, updated_at)
     where ${onNodeOf('p')} and p.payout_method_id = any($3::uuid[])
       and p.account_id = u.account_id and p.payout_method_id = u.payout_method_id and p.state = 'enabled'`,
    [...changedColumns(methods), methods.map((method) => method.updatedAt)],
  );
  assert(updated === methods.length, 'every payout method that was locked was changed');
}

function changedColumns(methods: readonly PayoutMethod[]) {
  return [
    accountIdsOf(methods),
    methods.map((method) => method.accountId),
    methods.map((method) => method.payoutMethodId),
    methods.map((method) => method.state),
    methods.map((method) => method.recipientType),
    methods.map((method) => JSON.stringify(method.details)),
    methods.map((method) => JSON.stringify(method.metadata)),
  ];
}

function methodOf(row: StoredMethod): PayoutMethod {
  return {
    accountId: row.account_id,
    payoutMethodId: row.payout_method_id,
    // The check constraints of the table hold the same words.
    state: row.state as PayoutMethodState,
    type: row.type,
    recipientType: row.recipient_type as RecipientType,
    details: row.details,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
