/**
 * Reading transactions: one by id, the one with an external_id, or a page of all or of one sender's, newest first.
 * Callers ask for a page by its number, operators for what comes behind the page before. Spec: endpoints 4 and 5. Open
 * points OP-39, OP-40 and OP-94.
 */
import type { Context } from '../context.ts';
import { AFTER_ALL, type Cursor, nextCursor } from '../kernel/cursor.ts';
import type { Tx } from '../kernel/database.ts';
import { faultOfText } from '../kernel/storable.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import { findExternalIds } from '../storage/external-ids.ts';
import { readWholeTransactions } from './load.ts';
import { countTransactions, idsBefore, pageOfIds } from './page-store.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';

export interface TransactionQuery {
  readonly accountId: string;
  readonly page: number;
  readonly per: number;
  readonly externalId?: string;
  readonly senderId?: string;
}

interface TransactionPage {
  readonly transactions: readonly WholeTransaction[];
  readonly totalCount: number;
}

/** A transaction, its recipients and its sender as they were together. */
const AS_ONE = { seesOneMoment: true } as const;

/** Undefined: this account has no such transaction. */
export function findTransaction(ctx: Pick<Context, 'db'>, key: TransactionKey): Promise<WholeTransaction | undefined> {
  return ctx.db.inTx(async (tx) => (await readWholeTransactions(tx, [key])).get(key.transactionId), AS_ONE);
}

export function pageOfTransactions(ctx: Pick<Context, 'db'>, query: TransactionQuery): Promise<TransactionPage> {
  const { accountId, externalId, senderId, page, per } = query;
  return ctx.db.inTx(async (tx) => {
    if (externalId !== undefined) return pageOfOne(tx, query, externalId);
    const filter = { accountId, senderId: senderId ?? null };
    const place = { offset: (page - 1) * per, limit: per };
    const keys = await pageOfIds(tx, filter, place);
    const totalCount = await totalCountOf({ shown: keys.length, ...place }, () => countTransactions(tx, filter));
    return { transactions: await readInOrder(tx, keys), totalCount };
  }, AS_ONE);
}

/** At most one transaction bears an external id, and the table of them finds it at once. */
async function pageOfOne(tx: Tx, query: TransactionQuery, externalId: string): Promise<TransactionPage> {
  const { accountId, senderId, page } = query;
  const keys = await keysOfExternalId(tx, accountId, externalId);
  const found = (await readInOrder(tx, keys)).filter(isOf(senderId ?? null));
  return { transactions: page === 1 ? found : [], totalCount: found.length };
}

function isOf(senderId: string | null) {
  return (transaction: WholeTransaction) => senderId === null || transaction.senderId === senderId;
}

async function keysOfExternalId(tx: Tx, accountId: string, externalId: string): Promise<TransactionKey[]> {
  // Text that could never have been stored is not looked for.
  if (faultOfText(externalId) !== undefined) return [];
  const owners = await findExternalIds(tx, [{ accountId, objectType: 'transaction', externalId }]);
  return owners.map(({ objectId }) => ({ accountId, transactionId: objectId }));
}

export interface TransactionsListed {
  readonly transactions: readonly WholeTransaction[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: Cursor | null;
}

/**
 * For operators: the transactions of an account or a sender, the newest first, or the one that bears an external id.
 */
export async function listTransactions(
  tx: Tx,
  query: {
    readonly accountId: string;
    readonly externalId: string | null;
    readonly senderId: string | null;
    /** Older than this one; null: from the newest. */
    readonly after: Cursor | null;
    readonly limit: number;
  },
): Promise<TransactionsListed> {
  const { accountId, externalId, senderId, after, limit } = query;
  if (externalId !== null) {
    const found = await readInOrder(tx, await keysOfExternalId(tx, accountId, externalId));
    return { transactions: found.filter(isOf(senderId)), next: null };
  }
  const keys = await idsBefore(tx, { accountId, senderId }, { before: after ?? AFTER_ALL, limit });
  const transactions = await readInOrder(tx, keys);
  const next = nextCursor(transactions, limit, (last) => ({ at: last.createdAt, id: last.transactionId }));
  return { transactions, next };
}

async function readInOrder(tx: Tx, keys: readonly TransactionKey[]): Promise<WholeTransaction[]> {
  const whole = await readWholeTransactions(tx, keys);
  return keys.flatMap(({ transactionId }) => whole.get(transactionId) ?? []);
}
