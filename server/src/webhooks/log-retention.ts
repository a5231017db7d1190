/** Deletes webhook logs whose retention is over. To be run every hour; what is left after the last round goes next time. */
import type { Context } from '../context.ts';
import { accountsWithOldLogs, deleteOldLogs } from './log-store.ts';

/** Small steps: none of them holds its locks for long, or makes a standby wait. */
const DELETE_MAX_ROWS = 2_000;
const MAX_ACCOUNTS_PER_ROUND = 500;
/** Of one run, at 2,000 rows each: ten million rows an hour. */
const MAX_DELETES = 5_000;

export async function dropOldWebhookLogs({ db, clock, settings }: Pick<Context, 'db' | 'clock' | 'settings'>) {
  const before = new Date(clock.now().getTime() - settings.webhooks.logRetentionMs);
  let deleted = 0;
  // In turns, so that one account with very many rows does not keep all others waiting.
  for (let deletes = 0; deletes < MAX_DELETES; ) {
    const accountIds = await db.inTx((tx) => accountsWithOldLogs(tx, before, MAX_ACCOUNTS_PER_ROUND));
    if (accountIds.length === 0) break;
    for (const accountId of accountIds) {
      deleted += await db.inTx((tx) => deleteOldLogs(tx, { accountId, before, limit: DELETE_MAX_ROWS }));
      deletes += 1;
    }
  }
  return deleted;
}
