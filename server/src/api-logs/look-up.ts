/**
 * How operators look calls up, for whoever asks why one was answered as it was: by the id alone, or among those of an
 * account. They see what the caller does, masked and cut in the same way. Open points OP-87 and OP-238.
 */

import { LAST_ID, LAST_TIME } from '../kernel/after-all.ts';
import type { CreatedDays } from '../kernel/created-days.ts';
import type { Tx } from '../kernel/database.ts';
import type { ApiLog } from './api-log.ts';
import { type ApiLogCursor, findApiLogOwner, type ListedApiLog, readApiLogsBefore } from './list-store.ts';
import { apiLogs } from './store.ts';

export type { ApiLogCursor, ListedApiLog } from './list-store.ts';

export interface ApiLogsListed {
  readonly logs: readonly ListedApiLog[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: ApiLogCursor | null;
}

const END: ApiLogCursor = { at: LAST_TIME, id: LAST_ID };

/** The calls of an account, the newest first. */
export async function listApiLogs(
  tx: Tx,
  query: CreatedDays & {
    readonly accountId: string;
    /** Older than this one; null: from the newest. */
    readonly after: ApiLogCursor | null;
    readonly limit: number;
  },
): Promise<ApiLogsListed> {
  const { after, ...wanted } = query;
  const logs = await readApiLogsBefore(tx, { ...wanted, before: after ?? END });
  const last = logs.length === query.limit ? logs.at(-1) : undefined;
  return { logs, next: last ? { at: last.createdAt, id: last.apiLogId } : null };
}

/** Of whichever account. Undefined: nobody has such a log, or no longer. */
export async function findAnyApiLog(tx: Tx, apiLogId: string): Promise<ApiLog | undefined> {
  const owner = await findApiLogOwner(tx, apiLogId);
  return owner && apiLogs.read(tx, { accountId: owner.accountId, id: owner.apiLogId });
}
