/**
 * Reading payout methods that are kept: one by id, or a page of them, newest first. Open points OP-40, OP-94, OP-130.
 */
import type { Context } from '../context.ts';
import { type CreatedDays, spanOf } from '../kernel/created-days.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import { countMethods, type MethodFilter, pageOfMethods } from './page-store.ts';
import type { PayoutMethod, PayoutMethodKey, PayoutMethodState } from './payout-method.ts';
import { readMethods } from './store.ts';

interface MethodQuery extends CreatedDays {
  readonly accountId: string;
  readonly page: number;
  readonly per: number;
  readonly states?: readonly PayoutMethodState[];
  readonly types?: readonly string[];
  /** A method belongs to the account and to no sender, so none has the sender that is asked for. */
  readonly senderId?: string;
}

interface MethodPage {
  readonly methods: readonly PayoutMethod[];
  readonly totalCount: number;
}

/** What was deleted is shown only when it is asked for. */
const SHOWN_STATES: readonly PayoutMethodState[] = ['enabled'];

/** Undefined: this account has no such method. */
export function findPayoutMethod(ctx: Pick<Context, 'db'>, key: PayoutMethodKey): Promise<PayoutMethod | undefined> {
  return ctx.db.inTx(async (tx) => (await readMethods(tx, [key]))[0]);
}

export function pageOfPayoutMethods(ctx: Pick<Context, 'db'>, query: MethodQuery): Promise<MethodPage> {
  if (query.senderId !== undefined) return Promise.resolve({ methods: [], totalCount: 0 });
  const filter: MethodFilter = {
    accountId: query.accountId,
    states: query.states ?? SHOWN_STATES,
    types: query.types ?? null,
    ...spanOf(query),
  };
  const place = { offset: (query.page - 1) * query.per, limit: query.per };
  return ctx.db.inTx(async (tx) => {
    const methods = await pageOfMethods(tx, filter, place);
    const totalCount = await totalCountOf({ shown: methods.length, ...place }, () => countMethods(tx, filter));
    return { methods, totalCount };
  });
}
