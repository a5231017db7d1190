/** The SQL of holds, and of what their rules ask about senders. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { Hold, HoldDecision, HoldReason, MatchedRule } from './hold.ts';

const COLUMNS = `h.account_id, h.transaction_id, h.hold_id, h.reason, h.rules, h.held_at, h.decision, h.decided_at,
  h.decided_by, h.decision_reason`;

interface StoredHold {
  account_id: string;
  transaction_id: string;
  hold_id: string;
  reason: string;
  rules: MatchedRule[];
  held_at: Date;
  decision: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  decision_reason: string | null;
}

/** All there ever were for these transactions, in their order. */
export async function readHolds(
  tx: Tx,
  keys: readonly { accountId: string; transactionId: string }[],
): Promise<Hold[]> {
  const rows = await tx.query<StoredHold>(
    `${byKeys({ columns: COLUMNS, from: 'holds h', id: 'transaction_id' })}
     order by h.held_at, h.hold_id`,
    keyLists(keys, (key) => key.transactionId),
  );
  return rows.map(holdOf);
}

export async function insertHolds(tx: Tx, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return;
  const inserted = await tx.execute(
    `insert into holds (account_id, transaction_id, hold_id, reason, rules, held_at, decision, decided_at, decided_by,
       decision_reason)
     select a.account_id, u.transaction_id, u.hold_id, u.reason, u.rules::json, u.held_at, u.decision, u.decided_at,
       u.decided_by, u.decision_reason
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[], $8::text[],
         $9::timestamptz[], $10::text[], $11::text[])
       as u (account_id, transaction_id, hold_id, reason, rules, held_at, decision, decided_at, decided_by,
         decision_reason)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(holds),
      holds.map((hold) => hold.accountId),
      holds.map((hold) => hold.transactionId),
      holds.map((hold) => hold.holdId),
      holds.map((hold) => hold.reason),
      holds.map((hold) => JSON.stringify(hold.rules)),
      holds.map((hold) => hold.heldAt),
      ...decisionColumns(holds),
    ],
  );
  assert(inserted === holds.length, 'every hold was stored');
}

/** Writes decisions. The guard: each is made once. */
export async function updateDecided(tx: Tx, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return;
  const updated = await tx.execute(
    `update holds h
     set decision = u.decision, decided_at = u.decided_at, decided_by = u.decided_by, decision_reason = u.decision_reason
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[], $8::text[])
       as u (account_id, transaction_id, hold_id, decision, decided_at, decided_by, decision_reason)
     where ${onNodeOf('h')} and h.account_id = u.account_id and h.transaction_id = u.transaction_id
       and h.hold_id = u.hold_id and h.decision is null`,
    [
      accountIdsOf(holds),
      holds.map((hold) => hold.accountId),
      holds.map((hold) => hold.transactionId),
      holds.map((hold) => hold.holdId),
      ...decisionColumns(holds),
    ],
  );
  assert(updated === holds.length, 'every hold that was decided on was still open');
}

/** Ends what is still open of these transactions, which are at their end: nobody is needed for it any more. */
export async function endOpenHolds(
  tx: Tx,
  keys: readonly { accountId: string; transactionId: string }[],
  { at, by }: Pick<HoldDecision, 'at' | 'by'>,
): Promise<void> {
  if (keys.length === 0) return;
  await tx.execute(
    `update holds h
     set decision = 'ended', decided_at = $4::timestamptz, decided_by = $5::text
     from unnest($2::uuid[], $3::uuid[]) as u (account_id, transaction_id)
     where ${onNodeOf('h')} and h.account_id = u.account_id and h.transaction_id = u.transaction_id
       and h.decision is null`,
    [...keyLists(keys, (key) => key.transactionId), at, by],
  );
}

function decisionColumns(holds: readonly Hold[]) {
  return [
    holds.map((hold) => hold.decision?.what ?? null),
    holds.map((hold) => hold.decision?.at ?? null),
    holds.map((hold) => hold.decision?.by ?? null),
    holds.map((hold) => hold.decision?.reason ?? null),
  ];
}

function holdOf(row: StoredHold): Hold {
  return {
    accountId: row.account_id,
    transactionId: row.transaction_id,
    holdId: row.hold_id,
    // The check constraints of the table hold the same words.
    reason: row.reason as HoldReason,
    rules: row.rules,
    heldAt: row.held_at,
    decision:
      row.decided_at === null
        ? null
        : {
            what: row.decision as HoldDecision['what'],
            at: row.decided_at,
            by: row.decided_by,
            reason: row.decision_reason,
          },
  };
}
