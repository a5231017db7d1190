/** The SQL of the soft limits. */
import type { Queryable, Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';

export interface CountedCalls {
  readonly accountId: string;
  readonly limitName: string;
  readonly windowStart: Date;
  readonly calls: number;
}

interface StoredCount {
  account_id: string;
  limit_name: string;
  window_start: Date;
  calls: number;
}

/** Adds to the counts and gives the sums. In one order for all processes, because each row is locked by it. */
export async function addCalls(tx: Tx, counted: readonly CountedCalls[]): Promise<CountedCalls[]> {
  const rows = await tx.query<StoredCount>(
    `insert into soft_limit_counts as c (account_id, limit_name, window_start, calls)
     select a.account_id, u.limit_name, u.window_start, u.calls
     from accounts a
     join unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::integer[])
       as u (account_id, limit_name, window_start, calls)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}
     order by a.account_id, u.limit_name, u.window_start
     on conflict (account_id, limit_name, window_start) do update set calls = c.calls + excluded.calls
     returning c.account_id, c.limit_name, c.window_start, c.calls`,
    [
      accountIdsOf(counted),
      counted.map((one) => one.accountId),
      counted.map((one) => one.limitName),
      counted.map((one) => one.windowStart),
      counted.map((one) => one.calls),
    ],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    limitName: row.limit_name,
    windowStart: row.window_start,
    calls: row.calls,
  }));
}

/** Some of the rows from before that time; tells how many went. */
export async function deleteOldCounts(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from soft_limit_counts c
     where (c.account_id, c.limit_name, c.window_start) in
       (select o.account_id, o.limit_name, o.window_start
        from soft_limit_counts o
        where o.window_start < $1::timestamptz
        limit $2::integer)`,
    [before, limit],
  );
}

/** Undefined: the account has no such transaction. */
export async function readTransactionState(
  db: Queryable,
  { accountId, transactionId }: { readonly accountId: string; readonly transactionId: string },
): Promise<string | undefined> {
  const rows = await db.query<{ state: string }>(
    'select t.state from transactions t where t.account_id = $1::uuid and t.transaction_id = $2::uuid',
    [accountId, transactionId],
  );
  return rows[0]?.state;
}
