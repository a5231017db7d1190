/** How often accounts were looked up for one of our accounts, day by day. Spec: endpoint 15. Open point OP-195. */
import type { Context } from '../context.ts';
import type { CheckKind } from './account-check.ts';
import { readUsage, type UsageRow } from './store.ts';

export type { UsageRow } from './store.ts';

/** The kinds that the specification calls paid services. */
export const PAID_KINDS: readonly CheckKind[] = ['telco', 'status'];

export const DAY_MS = 86_400_000;
/** What one look at it shows at most. */
export const MAX_USAGE_DAYS = 366;
export const DEFAULT_USAGE_DAYS = 31;

/** Whole days in UTC, the first and the last included. */
export function usageOf(
  { db }: Pick<Context, 'db'>,
  { accountId, from, to }: { accountId: string; from: Date; to: Date },
): Promise<UsageRow[]> {
  return readUsage(db, { accountId, from, to: new Date(to.getTime() + DAY_MS) });
}
