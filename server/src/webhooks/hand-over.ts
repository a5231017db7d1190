/**
 * Deliveries that the process which stored them sends itself: they are stored under its claim, so that nobody has to
 * look for them, read them and mark them first. Should the process die before they are sent, they are due again when
 * the lease ends, like all that is claimed.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import type { Wake } from '../kernel/wake.ts';
import { byChain, bySequence } from './chains.ts';
import type { Chain, OpenDelivery } from './delivery.ts';
import { fillDeliveries, readyChains, type Unsigned } from './fill-deliveries.ts';
import { type BirthClaim, type EventRecord, insertEvents, type StoredDelivery } from './outbox.ts';

export interface HandOver {
  readonly claim: BirthClaim;
  readonly events: readonly EventRecord[];
  readonly taken: readonly StoredDelivery[];
}

/** Who sends at once what is stored. */
export interface Outgoing {
  /** For the deliveries of so many events; undefined: they are to wait until they are claimed. */
  claimNew(events: number): BirthClaim | undefined;
  /** To be called after the commit. */
  sendNew(batch: HandOver): void;
}

/** To be called after the commit: tells who sends, and nobody for nothing. */
export type TellSenders = (wake: Wake) => void;

/** Stores events with their deliveries, under the claim of who sends at once, where somebody does. */
export async function storeEvents(
  tx: Tx,
  events: readonly EventRecord[],
  outgoing: Outgoing | undefined,
): Promise<TellSenders> {
  const claim = events.length > 0 ? outgoing?.claimNew(events.length) : undefined;
  const deliveries = await insertEvents(tx, events, claim);
  const taken = deliveries.filter(({ isTaken }) => isTaken);
  return (wake) => {
    if (claim) outgoing?.sendNew({ claim, events, taken });
    if (taken.length < deliveries.length) wake.wake('deliveries');
  };
}

export interface Ready {
  /** The events of each object in their order. */
  readonly chains: readonly Chain[];
  /** What cannot be sent, because the key of its webhook does not open. */
  readonly unsigned: readonly Unsigned[];
}

export async function makeReady(
  ctx: Pick<Context, 'db' | 'clock' | 'seal'>,
  { claim, events, taken }: HandOver,
): Promise<Ready> {
  const { claimId, leaseUntil } = claim;
  const open = taken.map((delivery): OpenDelivery => {
    const { accountId, eventId, webhookId, objectId, sequence } = delivery;
    return {
      accountId,
      eventId,
      webhookId,
      objectId,
      sequence,
      attempts: 0,
      tries: 0,
      claimId,
      nextAttemptAt: leaseUntil,
    };
  });
  const filled = await fillDeliveries(ctx, ctx.db, open, {
    events: new Map(events.map((event) => [event.eventId, event])),
    endpoints: taken,
    claimId,
    leaseUntil,
    now: ctx.clock.now(),
  });
  return { chains: readyChains(byChain(open.toSorted(bySequence)).values(), filled), unsigned: filled.unsigned };
}
