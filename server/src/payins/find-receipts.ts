/** Payments as operators look for them. */
import type { Queryable } from '../kernel/database.ts';
import { findReceiptOwner } from './decision-store.ts';
import {
  type ReceiptCursor,
  type ReceiptsQuery,
  readReceipt,
  readReceipts,
  readSuspended,
  type SuspenseQuery,
} from './list-store.ts';
import type { ListedReceipt } from './receipt.ts';

export type { ReceiptCursor } from './list-store.ts';

export interface ReceiptPage {
  readonly items: readonly ListedReceipt[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: ReceiptCursor | null;
}

/** Before every payment. */
const BEGINNING: ReceiptCursor = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

export async function listSuspended(
  db: Queryable,
  query: Omit<SuspenseQuery, 'after'> & { readonly after: ReceiptCursor | null },
): Promise<ReceiptPage> {
  return pageOf(await readSuspended(db, { ...query, after: query.after ?? BEGINNING }), query.limit);
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
  const last = items.at(-1);
  const isFull = items.length === limit && last !== undefined;
  return { items, next: isFull ? { at: last.receivedAt, id: last.receiptId } : null };
}
