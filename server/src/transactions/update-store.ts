/** The SQL that moves funded and expiring transactions, and that finds those with work to do. */
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { TransactionState } from './states.ts';
import { type StoredTransaction, TRANSACTION_COLUMNS, transactionOf } from './store.ts';
import type { Transaction, TransactionKey, WholeTransaction } from './transaction.ts';

export interface Moved {
  readonly transaction: WholeTransaction;
  /** The state that was decided on: the guard. */
  readonly from: TransactionState;
  readonly dueAt: Date | null;
  /** It was to be looked at by now, and still is: who writes has done something else with it. Null: that is settled. */
  readonly unseenAt: Date | null;
  readonly isClaimed: boolean;
  /** People are needed, from now on or since before; null: they are not. */
  readonly attentionAt: Date | null;
}

const UPDATE = `update transactions t
     set state = u.state, input_amount = u.input_amount, event_count = u.event_count,
       due_at = case when t.due_at <= u.unseen_at then least(t.due_at, u.due_at) else u.due_at end,
       is_claimed = u.is_claimed,
       attention_at = case when u.attention_at is null then null else coalesce(t.attention_at, u.attention_at) end
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::integer[], $8::timestamptz[],
         $9::boolean[], $10::timestamptz[], $11::timestamptz[])
       as u (account_id, transaction_id, from_state, state, input_amount, event_count, due_at, is_claimed, attention_at,
         unseen_at)
     where ${onNodeOf('t')} and t.account_id = u.account_id and t.transaction_id = u.transaction_id
       and t.state = u.from_state`;

export async function updateMoved(tx: Tx, moves: readonly Moved[]): Promise<void> {
  if (moves.length === 0) return;
  const rows = moves.map(({ transaction }) => transaction);
  const updated = await tx.execute(UPDATE, [
    accountIdsOf(rows),
    rows.map((t) => t.accountId),
    rows.map((t) => t.transactionId),
    moves.map((move) => move.from),
    rows.map((t) => t.state),
    rows.map((t) => t.inputAmount),
    rows.map((t) => t.eventCount),
    moves.map((move) => move.dueAt),
    moves.map((move) => move.isClaimed),
    moves.map((move) => move.attentionAt),
    moves.map((move) => move.unseenAt),
  ]);
  assert(updated === moves.length, 'every transaction that moves was still in the state that was decided on');
}

export interface Due {
  readonly keys: readonly TransactionKey[];
  /** The locked rows. Apart from their keys: of one that cannot be read it has to be known which it is. */
  readonly read: () => Transaction[];
  /** Whether there are any rules for holds: the question is free here, and saves a statement where there are none. */
  readonly hasRules: boolean;
}

const LOCK_DUE = `select ${TRANSACTION_COLUMNS}, exists (select 1 from hold_rules) as has_rules
     from transactions t
     where t.due_at is not null and t.due_at <= $1::timestamptz and ($2::uuid is null or t.account_id = $2::uuid)
     order by t.due_at
     limit $3::integer
     for update skip locked`;

/**
 * Locks what is due, the longest due first, and leaves out what another process has locked. With an account, its rows
 * alone: a distributed PostgreSQL locks rows of one node at a time.
 */
export async function lockDue(
  tx: Tx,
  { now, limit, accountId }: { now: Date; limit: number; accountId: string | null },
): Promise<Due> {
  const rows = await tx.query<StoredTransaction & { has_rules: boolean }>(LOCK_DUE, [now, accountId, limit]);
  return {
    keys: rows.map((row) => ({ accountId: row.account_id, transactionId: row.transaction_id })),
    read: () => rows.map(transactionOf),
    hasRules: rows.some((row) => row.has_rules),
  };
}

/** Work on it broke: it waits, and people see it. Not where somebody has moved it meanwhile. */
export async function putOffTransaction(
  tx: Tx,
  { accountId, transactionId }: TransactionKey,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await tx.execute(
    `update transactions t
     set due_at = $4::timestamptz, attention_at = coalesce(t.attention_at, $3::timestamptz)
     where t.account_id = $1::uuid and t.transaction_id = $2::uuid and t.due_at <= $3::timestamptz`,
    [accountId, transactionId, now, until],
  );
}

/** At once; what is left is found by the next turn. */
const MAX_PUT_OFF = 10_000;

/**
 * The same for all that is due of an account, but for what somebody works on. That is looked for once: it is no join.
 */
export async function putOffAccount(
  tx: Tx,
  { accountId }: Pick<TransactionKey, 'accountId'>,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await tx.execute(
    `update transactions t
     set due_at = $3::timestamptz, attention_at = coalesce(t.attention_at, $2::timestamptz)
     where t.account_id = $1::uuid and t.transaction_id = any(array(
       select d.transaction_id
       from transactions d
       where d.account_id = $1::uuid and d.due_at <= $2::timestamptz
       order by d.due_at
       limit $4::integer
       for update skip locked))`,
    [accountId, now, until, MAX_PUT_OFF],
  );
}

/** The account whose work has waited longest. */
export async function findDueAccount(db: Queryable, now: Date): Promise<string | undefined> {
  const rows = await db.query<{ account_id: string }>(
    `select t.account_id
     from transactions t
     where t.due_at is not null and t.due_at <= $1::timestamptz
     order by t.due_at
     limit 1`,
    [now],
  );
  return rows[0]?.account_id;
}
