/** The attempts' SQL. The lock on a transaction covers its recipients and their attempts. */
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { Attempt, AttemptKey } from './attempt.ts';
import type { RecipientKey } from './recipient.ts';

const COLUMNS = `p.account_id, p.attempt_id, p.transaction_id, p.recipient_id, p.number, p.provider, p.details,
  p.started_at, p.sent_at, p.heard_at, p.asks, p.outcome, p.code, p.paid_amount, p.decided_by, p.evidence, p.ended_at,
  p.news_at`;

interface StoredAttempt {
  account_id: string;
  attempt_id: string;
  transaction_id: string;
  recipient_id: string;
  number: number;
  provider: string;
  details: Record<string, unknown>;
  started_at: Date;
  sent_at: Date | null;
  heard_at: Date | null;
  asks: number;
  outcome: Attempt['outcome'];
  code: string | null;
  paid_amount: bigint | null;
  decided_by: Attempt['decidedBy'];
  evidence: string | null;
  ended_at: Date | null;
  news_at: Date | null;
}

const BY_ID = byKeys({ columns: COLUMNS, from: 'payout_attempts p', id: 'attempt_id' });

export async function readAttempts(db: Queryable, keys: readonly AttemptKey[]): Promise<Attempt[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<StoredAttempt>(
    BY_ID,
    keyLists(keys, (key) => key.attemptId),
  );
  return rows.map(attemptOf);
}

/** All attempts of one recipient, the first one first. */
export async function readAttemptsOf(
  db: Queryable,
  { accountId, recipientId }: { accountId: string; recipientId: string },
): Promise<Attempt[]> {
  const rows = await db.query<StoredAttempt>(
    `select ${COLUMNS}
     from payout_attempts p
     where p.account_id = $1::uuid and p.recipient_id = $2::uuid
     order by p.number`,
    [accountId, recipientId],
  );
  return rows.map(attemptOf);
}

/** What these recipients got by all their attempts. Who is not there got nothing by any. */
export async function readPaidTotals(db: Queryable, keys: readonly RecipientKey[]): Promise<Map<string, bigint>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<Pick<StoredAttempt, 'recipient_id' | 'paid_amount'>>(
    byKeys({
      columns: 'p.recipient_id, p.paid_amount',
      from: 'payout_attempts p',
      id: 'recipient_id',
      and: "p.outcome = 'paid'",
    }),
    keyLists(keys, (key) => key.recipientId),
  );
  const totals = new Map<string, bigint>();
  for (const { recipient_id: id, paid_amount } of rows) totals.set(id, (totals.get(id) ?? 0n) + (paid_amount ?? 0n));
  return totals;
}

const ATTEMPTS = rowsOf<Attempt>('payout_attempts', {
  account_id: ['uuid', (p) => p.accountId],
  attempt_id: ['uuid', (p) => p.attemptId],
  transaction_id: ['uuid', (p) => p.transactionId],
  recipient_id: ['uuid', (p) => p.recipientId],
  number: ['integer', (p) => p.number],
  provider: ['text', (p) => p.provider],
  details: ['json', (p) => JSON.stringify(p.details)],
  started_at: ['timestamptz', (p) => p.startedAt],
  sent_at: ['timestamptz', (p) => p.sentAt],
  heard_at: ['timestamptz', (p) => p.heardAt],
  asks: ['integer', (p) => p.asks],
  outcome: ['text', (p) => p.outcome],
  code: ['text', (p) => p.code],
  paid_amount: ['bigint', (p) => p.paidAmount],
  decided_by: ['text', (p) => p.decidedBy],
  evidence: ['text', (p) => p.evidence],
  ended_at: ['timestamptz', (p) => p.endedAt],
  news_at: ['timestamptz', (p) => p.newsAt],
});

export function insertAttempts(tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  return addRows(tx, ATTEMPTS, attempts);
}

const UPDATE = `update payout_attempts p
     set sent_at = u.sent_at, heard_at = u.heard_at, asks = u.asks, outcome = u.outcome, code = u.code, paid_amount = u.paid_amount,
       decided_by = u.decided_by, evidence = u.evidence, ended_at = u.ended_at,
       news_at = u.news_at
     from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::text[], $8::text[],
         $9::bigint[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[])
       as u (account_id, attempt_id, sent_at, heard_at, asks, outcome, code, paid_amount, decided_by, evidence, ended_at,
         news_at)
     where ${onNodeOf('p')} and p.account_id = u.account_id and p.attempt_id = u.attempt_id`;

/** Writes what was done and heard about attempts; what they were when they were made never changes. */
export async function updateAttempts(tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return;
  const updated = await tx.execute(UPDATE, [
    accountIdsOf(attempts),
    attempts.map((p) => p.accountId),
    attempts.map((p) => p.attemptId),
    attempts.map((p) => p.sentAt),
    attempts.map((p) => p.heardAt),
    attempts.map((p) => p.asks),
    attempts.map((p) => p.outcome),
    attempts.map((p) => p.code),
    attempts.map((p) => p.paidAmount),
    attempts.map((p) => p.decidedBy),
    attempts.map((p) => p.evidence),
    attempts.map((p) => p.endedAt),
    attempts.map((p) => p.newsAt),
  ]);
  assert(updated === attempts.length, 'every attempt that was heard of is stored');
}

/** Cash: the provider took edited details for a running attempt, so these are the ones it was sent. */
export async function updateSentDetails(
  tx: Tx,
  updated: readonly (AttemptKey & Pick<Attempt, 'details'>)[],
): Promise<void> {
  if (updated.length === 0) return;
  await tx.execute(
    `update payout_attempts p
     set details = u.details::json
     from unnest($2::uuid[], $3::uuid[], $4::text[]) as u (account_id, attempt_id, details)
     where ${onNodeOf('p')} and p.account_id = u.account_id and p.attempt_id = u.attempt_id`,
    [
      accountIdsOf(updated),
      updated.map((p) => p.accountId),
      updated.map((p) => p.attemptId),
      updated.map((p) => JSON.stringify(p.details)),
    ],
  );
}

function attemptOf(row: StoredAttempt): Attempt {
  return {
    accountId: row.account_id,
    attemptId: row.attempt_id,
    transactionId: row.transaction_id,
    recipientId: row.recipient_id,
    number: row.number,
    provider: row.provider,
    details: row.details,
    startedAt: row.started_at,
    sentAt: row.sent_at,
    heardAt: row.heard_at,
    asks: row.asks,
    outcome: row.outcome,
    code: row.code,
    paidAmount: row.paid_amount,
    decidedBy: row.decided_by,
    evidence: row.evidence,
    endedAt: row.ended_at,
    newsAt: row.news_at,
  };
}
