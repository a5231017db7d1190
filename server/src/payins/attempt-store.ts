/** The SQL of prompts. The lock on a transaction covers its payin methods and their prompts. */
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
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

const ATTEMPTS = rowsOf<PayinAttempt>('payin_attempts', {
  account_id: ['uuid', (a) => a.accountId],
  attempt_id: ['uuid', (a) => a.attemptId],
  transaction_id: ['uuid', (a) => a.transactionId],
  payin_method_id: ['uuid', (a) => a.payinMethodId],
  number: ['integer', (a) => a.number],
  provider: ['text', (a) => a.provider],
  details: ['json', (a) => JSON.stringify(a.details)],
  amount: ['bigint', (a) => a.amount],
  started_at: ['timestamptz', (a) => a.startedAt],
  heard_at: ['timestamptz', (a) => a.heardAt],
  asks: ['integer', (a) => a.asks],
  outcome: ['text', (a) => a.outcome],
  code: ['text', (a) => a.code],
  ended_at: ['timestamptz', (a) => a.endedAt],
  contradicted_at: ['timestamptz', (a) => a.contradictedAt],
});

export function insertPayinAttempts(tx: Tx, attempts: readonly PayinAttempt[]): Promise<void> {
  return addRows(tx, ATTEMPTS, attempts);
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
