/**
 * Reading senders: one by id, the one with an external_id, or a page of all, newest first. Spec: endpoint 14. Open
 * points OP-40, OP-50 and OP-94.
 */
import type { Context } from '../context.ts';
import { type CreatedDays, spanOf } from '../kernel/created-days.ts';
import { faultOfText } from '../kernel/storable.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import { findExternalIds } from '../storage/external-ids.ts';
import { countSenders, pageOfIds, readInOrder, type SenderFilter } from './page-store.ts';
import type { Sender, SenderKey } from './sender.ts';
import { readSenders } from './store.ts';

export interface SenderQuery extends CreatedDays {
  readonly accountId: string;
  readonly page: number;
  readonly per: number;
  readonly externalId?: string;
}

interface SenderPage {
  readonly senders: readonly Sender[];
  readonly totalCount: number;
}

/** Undefined: this account has no such sender. */
export function findSender(ctx: Pick<Context, 'db'>, key: SenderKey): Promise<Sender | undefined> {
  return ctx.db.inTx(async (tx) => (await readSenders(tx, [key]))[0]);
}

export function pageOfSenders(ctx: Pick<Context, 'db'>, query: SenderQuery): Promise<SenderPage> {
  const filter: SenderFilter = {
    accountId: query.accountId,
    ...spanOf(query),
  };
  if (query.externalId !== undefined) return pageOfOne(ctx, query, query.externalId, filter);
  return ctx.db.inTx(async (tx) => {
    const place = { offset: (query.page - 1) * query.per, limit: query.per };
    const keys = await pageOfIds(tx, filter, place);
    const totalCount = await totalCountOf({ shown: keys.length, ...place }, () => countSenders(tx, filter));
    return { senders: await readInOrder(tx, keys), totalCount };
  });
}

/** At most one sender bears an external id, and the table of them finds it at once. */
function pageOfOne(
  ctx: Pick<Context, 'db'>,
  { accountId, page }: SenderQuery,
  externalId: string,
  { from, before }: SenderFilter,
): Promise<SenderPage> {
  // Text that could never have been stored is not looked for.
  if (faultOfText(externalId) !== undefined) return Promise.resolve({ senders: [], totalCount: 0 });
  return ctx.db.inTx(async (tx) => {
    const owners = await findExternalIds(tx, [{ accountId, objectType: 'sender', externalId }]);
    const keys = owners.map(({ objectId }) => ({ accountId, senderId: objectId }));
    const found = (await readSenders(tx, keys)).filter(({ createdAt }) => createdAt >= from && createdAt < before);
    return { senders: page === 1 ? found : [], totalCount: found.length };
  });
}
