/** The SQL of prompts. The lock on a transaction covers its payin methods and their prompts. */
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { PayinAttempt, PayinAttemptKey, PayinOutcome } from './attempt.ts';

const COLUMNS = `p.account_id, p.attempt_id, p.transaction_id, p.payin_method_id, p.number, p.provider, p.details, p.amount,
  p.started_at, p.heard_at, p.asks, p.outcome, p.code, p.ended_at, p.contradicted_at`;

interface StoredAttempt {
  account_id: string;
  attempt_id: string;
  transaction_id: string;
  payin_method_id: string;
  number: number;
  provider: string;
  details: Record<string, unknown>;
  amount: bigint;
  started_at: Date;
  heard_at: Date | null;
  asks: number;
  outcome: PayinOutcome | null;
  code: string | null;
  ended_at: Date | null;
  contradicted_at: Date | null;
}

export async function readPayinAttempts(db: Queryable, keys: readonly PayinAttemptKey[]): Promise<PayinAttempt[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<StoredAttempt>(
    byKeys({ columns: COLUMNS, from: 'payin_attempts p', id: 'attempt_id' }),
    keyLists(keys, (key) => key.attemptId),
  );
  return rows.map(attemptOf);
}

/** All prompts of these payin methods, in their order. */
export async function readPromptsOf(
  db: Queryable,
  { accountId, payinMethodIds }: { readonly accountId: string; readonly payinMethodIds: readonly string[] },
): Promise<PayinAttempt[]> {
  const rows = await db.query<StoredAttempt>(
    `select ${COLUMNS}
     from payin_attempts p
     where p.account_id = $1::uuid and p.payin_method_id = any($2::uuid[])
     order by p.started_at, p.number`,
    [accountId, payinMethodIds],
  );
  return rows.map(attemptOf);
}

export async function insertPayinAttempts(tx: Tx, attempts: readonly PayinAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  const inserted = await tx.execute(
    `insert into payin_attempts (account_id, attempt_id, transaction_id, payin_method_id, number, provider, details, amount, started_at,
       heard_at, asks, outcome, code, ended_at, contradicted_at)
     select a.account_id, u.attempt_id, u.transaction_id, u.payin_method_id, u.number, u.provider, u.details::json,
       u.amount, u.started_at, u.heard_at, u.asks, u.outcome, u.code, u.ended_at, u.contradicted_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::integer[], $7::text[], $8::text[], $9::bigint[],
         $10::timestamptz[], $11::timestamptz[], $12::integer[], $13::text[], $14::text[], $15::timestamptz[],
         $16::timestamptz[])
       as u (account_id, attempt_id, transaction_id, payin_method_id, number, provider, details, amount, started_at,
         heard_at, asks, outcome, code, ended_at, contradicted_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(attempts),
      attempts.map((a) => a.accountId),
      attempts.map((a) => a.attemptId),
      attempts.map((a) => a.transactionId),
      attempts.map((a) => a.payinMethodId),
      attempts.map((a) => a.number),
      attempts.map((a) => a.provider),
      attempts.map((a) => JSON.stringify(a.details)),
      attempts.map((a) => a.amount),
      attempts.map((a) => a.startedAt),
      ...heardOf(attempts),
    ],
  );
  assert(inserted === attempts.length, 'every prompt was stored');
}

/** Writes what was heard of prompts; what they were when they were made never changes. */
export async function updatePayinAttempts(tx: Tx, attempts: readonly PayinAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  const updated = await tx.execute(
    `update payin_attempts p
     set heard_at = u.heard_at, asks = u.asks, outcome = u.outcome, code = u.code, ended_at = u.ended_at,
       contradicted_at = u.contradicted_at
     from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::integer[], $6::text[], $7::text[], $8::timestamptz[],
         $9::timestamptz[])
       as u (account_id, attempt_id, heard_at, asks, outcome, code, ended_at, contradicted_at)
     where ${onNodeOf('p')} and p.account_id = u.account_id and p.attempt_id = u.attempt_id`,
    [accountIdsOf(attempts), attempts.map((a) => a.accountId), attempts.map((a) => a.attemptId), ...heardOf(attempts)],
  );
  assert(updated === attempts.length, 'every prompt that was heard of is stored');
}

/** What can change after a prompt was made, in the order in which both statements take it. */
function heardOf(attempts: readonly PayinAttempt[]) {
  return [
    attempts.map((a) => a.heardAt),
    attempts.map((a) => a.asks),
    attempts.map((a) => a.outcome),
    attempts.map((a) => a.code),
    attempts.map((a) => a.endedAt),
    attempts.map((a) => a.contradictedAt),
  ];
}

function attemptOf(row: StoredAttempt): PayinAttempt {
  return {
    accountId: row.account_id,
    attemptId: row.attempt_id,
    transactionId: row.transaction_id,
    payinMethodId: row.payin_method_id,
    number: row.number,
    provider: row.provider,
    details: row.details,
    amount: row.amount,
    startedAt: row.started_at,
    heardAt: row.heard_at,
    asks: row.asks,
    outcome: row.outcome,
    code: row.code,
    endedAt: row.ended_at,
    contradictedAt: row.contradicted_at,
  };
}
