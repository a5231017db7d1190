/**
 * Claims what all webhooks are to be given at once; where that breaks on a delivery, webhook by webhook for this turn,
 * and where that breaks too, delivery by delivery. One that breaks alone is put off and logged, so that it cannot hold
 * up those behind it and beside it.
 */
import type { Context } from '../context.ts';
import { isOfTheRow, putOffFrom, runAlone } from '../kernel/put-off.ts';
import type { Chain, OpenDelivery } from './delivery.ts';
import { type DueEndpoint, type EndpointShare, putOffDeliveries } from './delivery-store.ts';
import type { Unsigned } from './fill-deliveries.ts';

export type Share = EndpointShare & DueEndpoint;

export interface Taken {
  readonly chains: readonly Chain[];
  readonly unsigned: readonly Unsigned[];
  /** Whether a webhook was given all that it may have, so that more may be due for it. */
  readonly isUsedUp: boolean;
}

type ClaimShares = (shares: readonly Share[], onLocked: (locked: readonly OpenDelivery[]) => void) => Promise<Taken>;

type ApartContext = Pick<Context, 'db' | 'clock' | 'log'>;

/** What operators see of a delivery that could not be made ready. */
export const BROKEN = 'it could not be made ready to be sent; the log says why';

const NOTHING: Taken = { chains: [], unsigned: [], isUsedUp: false };

export async function claimApart(ctx: ApartContext, shares: readonly Share[], claim: ClaimShares): Promise<Taken> {
  try {
    return await claim(shares, () => undefined);
  } catch (fault) {
    if (!isOfTheRow(fault)) throw fault;
  }
  const taken: Taken[] = [];
  try {
    for (const share of shares) await claimShare(ctx, share, claim, taken);
  } catch (fault) {
    // What was claimed before is sent all the same: nobody else would before its lease ends.
    if (taken.length === 0) throw fault;
    ctx.log.warn('claiming deliveries one by one was broken off', { claims: taken.length }, fault);
  }
  return {
    chains: taken.flatMap(({ chains }) => chains),
    unsigned: taken.flatMap(({ unsigned }) => unsigned),
    isUsedUp: taken.some(({ isUsedUp }) => isUsedUp),
  };
}

async function claimShare(ctx: ApartContext, share: Share, claim: ClaimShares, taken: Taken[]): Promise<void> {
  try {
    taken.push(await claim([share], () => undefined));
    return;
  } catch (fault) {
    if (!isOfTheRow(fault)) throw fault;
  }
  for (let left = share.free; left > 0; left -= 1) {
    const one = await claimOne(ctx, share, claim);
    if (one === undefined) return;
    taken.push(one);
  }
}

/** The delivery of this webhook that is due longest; undefined: there is none. */
async function claimOne(ctx: ApartContext, share: Share, claim: ClaimShares): Promise<Taken | undefined> {
  let delivery: OpenDelivery | undefined;
  try {
    const onLocked = (locked: readonly OpenDelivery[]) => {
      delivery = locked[0];
    };
    const taken = await runAlone(() => claim([{ ...share, free: 1 }], onLocked));
    return delivery && taken;
  } catch (fault) {
    if (delivery === undefined || !isOfTheRow(fault)) throw fault;
    const putOff = { ...delivery, dueAt: putOffFrom(ctx.clock.now()) };
    await ctx.db.inTx((tx) => putOffDeliveries(tx, [putOff], BROKEN));
    const { accountId, webhookId, eventId } = delivery;
    const ids = { account_id: accountId, webhook_id: webhookId, event_id: eventId };
    ctx.log.error('a delivery could not be made ready; it is tried again later', ids, fault);
    return NOTHING;
  }
}
