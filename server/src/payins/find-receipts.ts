/** Payments as operators look for them. */
import { BEFORE_ALL, type Cursor, nextCursor } from '../kernel/cursor.ts';
import type { Queryable } from '../kernel/database.ts';
import { findReceiptOwner } from './decision-store.ts';
import { type ReceiptsQuery, readReceipt, readReceipts, readSuspended, type SuspenseQuery } from './list-store.ts';
import type { ListedReceipt } from './receipt.ts';

export interface ReceiptPage {
  readonly items: readonly ListedReceipt[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: Cursor | null;
}

export async function listSuspended(
  db: Queryable,
  query: Omit<SuspenseQuery, 'after'> & { readonly after: Cursor | null },
): Promise<ReceiptPage> {
  return pageOf(await readSuspended(db, { ...query, after: query.after ?? BEFORE_ALL }), query.limit);
}

export async function listReceipts(db: Queryable, query: ReceiptsQuery): Promise<ReceiptPage> {
  return pageOf(await readReceipts(db, query), query.limit);
}

/** By its id alone. */
export async function findReceipt(db: Queryable, receiptId: string): Promise<ListedReceipt | undefined> {
  const owner = await findReceiptOwner(db, receiptId);
  return owner && readReceipt(db, owner);
}

function pageOf(items: readonly ListedReceipt[], limit: number): ReceiptPage {
  return { items, next: nextCursor(items, limit, (last) => ({ at: last.receivedAt, id: last.receiptId })) };
}
