/** Deletes rows whose time is over. To be run every hour; what is left after the last round goes next time. */
import type { Database, Tx } from '../kernel/database.ts';

export interface OldRows {
  /** Accounts that have rows to be deleted. */
  readonly accountsWith: (tx: Tx, limit: number) => Promise<readonly string[]>;
  /** The oldest rows of an account; tells how many went. */
  readonly deleteOldest: (tx: Tx, accountId: string, limit: number) => Promise<number>;
}

/** Small steps: none of them holds its locks for long, or makes a standby wait. */
const DELETE_MAX_ROWS = 2_000;
const MAX_ACCOUNTS_PER_ROUND = 500;
/** Of one run, at 2,000 rows each: ten million rows an hour. */
const MAX_DELETES = 5_000;

/** Tells how many went. */
export async function dropOld(db: Pick<Database, 'inTx'>, { accountsWith, deleteOldest }: OldRows): Promise<number> {
  let deleted = 0;
  // In turns, so that one account with very many rows does not keep all others waiting.
  for (let deletes = 0; deletes < MAX_DELETES; ) {
    const accountIds = await db.inTx((tx) => accountsWith(tx, MAX_ACCOUNTS_PER_ROUND));
    if (accountIds.length === 0) break;
    for (const accountId of accountIds) {
      deleted += await db.inTx((tx) => deleteOldest(tx, accountId, DELETE_MAX_ROWS));
      deletes += 1;
    }
  }
  return deleted;
}
