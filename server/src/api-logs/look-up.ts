/**
 * How operators look calls up, for whoever asks why one was answered as it was: by the id alone, or among those of an
 * account. They see what the caller does, masked and cut in the same way. Open points OP-87 and OP-238.
 */

import type { CreatedDays } from '../kernel/created-days.ts';
import { AFTER_ALL, type Cursor, nextCursor } from '../kernel/cursor.ts';
import type { Tx } from '../kernel/database.ts';
import type { ApiLog } from './api-log.ts';
import { findApiLogOwner, type ListedApiLog, readApiLogsBefore } from './list-store.ts';
import { apiLogs } from './store.ts';

export type { ListedApiLog } from './list-store.ts';

export interface ApiLogsListed {
  readonly logs: readonly ListedApiLog[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: Cursor | null;
}

/** The calls of an account, the newest first. */
export async function listApiLogs(
  tx: Tx,
  query: CreatedDays & {
    readonly accountId: string;
    /** Older than this one; null: from the newest. */
    readonly after: Cursor | null;
    readonly limit: number;
  },
): Promise<ApiLogsListed> {
  const { after, ...wanted } = query;
  const logs = await readApiLogsBefore(tx, { ...wanted, before: after ?? AFTER_ALL });
  return { logs, next: nextCursor(logs, query.limit, (last) => ({ at: last.createdAt, id: last.apiLogId })) };
}

/** Of whichever account. Undefined: nobody has such a log, or no longer. */
export async function findAnyApiLog(tx: Tx, apiLogId: string): Promise<ApiLog | undefined> {
  const owner = await findApiLogOwner(tx, apiLogId);
  return owner && apiLogs.read(tx, { accountId: owner.accountId, id: owner.apiLogId });
}
