/**
 * Claiming deliveries that are due: locked, marked with a lease, committed; then they are sent with no transaction
 * open. Endpoints take turns and each gets no more than it can take, so that what waits for a dead one delays nobody
 * else. A claim that is never recorded, because its process died, runs out with its lease and is made again by another.
 */
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { putOffFrom } from '../kernel/put-off.ts';
import { claimApart, type Share, type Taken } from './claim-apart.ts';
import { decideClaim } from './decide-claim.ts';
import type { Chain, OpenDelivery } from './delivery.ts';
import {
  type DueDelivery,
  type DueEndpoint,
  type EndpointShare,
  giveBack,
  lockDueDeliveries,
  markClaimed,
  putOffDeliveries,
  readDueEndpoints,
  readOpenChains,
} from './delivery-store.ts';
import { readEvents } from './event-store.ts';
import { type Filled, type FillFacts, fillDeliveries, readyChains, type Unsigned } from './fill-deliveries.ts';
import type { TextRoom } from './text-room.ts';

export type ClaimContext = Pick<Context, 'db' | 'clock' | 'ids' | 'seal' | 'settings' | 'log'>;

export interface ClaimWish {
  /** Where the claim before ended, so that all endpoints get their turn; null begins anew. */
  readonly after: { readonly accountId: string; readonly webhookId: string } | null;
  /** Webhooks that have all they can take. */
  readonly without: readonly string[];
  /** How many deliveries this webhook may be given now. */
  readonly freeFor: (endpoint: DueEndpoint) => number;
  /** Which of them there is memory for; not given: for all. */
  readonly room?: Pick<TextRoom, 'fitting'>;
}

export interface Claim {
  readonly chains: readonly Chain[];
  /** What was put off, because the key of its webhook does not open. */
  readonly unsigned: readonly Unsigned[];
  readonly endpoints: readonly DueEndpoint[];
  /** Where the next claim begins; null when this one has seen all endpoints. */
  readonly next: ClaimWish['after'];
  /** Whether more may be due that this claim had no room for. What is stored from now on wakes its worker itself. */
  readonly hasMore: boolean;
}

/** Of one claim. Many endpoints take turns. */
const MAX_ENDPOINTS_PER_CLAIM = 64;
/** How many deliveries wait for each request that may be under way to a webhook. */
export const CLAIMED_PER_REQUEST = 4;
const LEASE_MARGIN_MS = 10_000;

/** Long enough for what waits in front of a delivery, should each request take all its time. */
export function leaseMs(timeoutMs: number): number {
  return timeoutMs * (CLAIMED_PER_REQUEST + 1) + LEASE_MARGIN_MS;
}

export function leaseFrom(now: Date, { settings }: Pick<Context, 'settings'>): Date {
  return new Date(now.getTime() + leaseMs(settings.webhooks.timeoutMs));
}

export async function claimDeliveries(ctx: ClaimContext, wish: ClaimWish): Promise<Claim> {
  const now = ctx.clock.now();
  const claimId = ctx.ids.next();
  const { after, without } = wish;
  // Nothing is locked by this, so that it needs no transaction; mostly nothing is due, and that is all.
  const due = await readDueEndpoints(ctx.db, { now, after, without, limit: MAX_ENDPOINTS_PER_CLAIM });
  if (due.length === 0) return { chains: [], unsigned: [], endpoints: [], next: null, hasMore: false };
  const endpoints = ctx.settings.database.oneTenantBatches ? ofOneTenant(due) : due;
  const last = endpoints.at(-1);
  const isAll = due.length < MAX_ENDPOINTS_PER_CLAIM && endpoints.length === due.length;
  const next = isAll || last === undefined ? null : last;
  const { isUsedUp, ...taken } = await claimApart(ctx, sharesOf(endpoints, wish), (shares, onLocked) =>
    claimShares(ctx, { shares, claimId, now, onLocked, room: wish.room }),
  );
  return { ...taken, endpoints, next, hasMore: next !== null || isUsedUp };
}

interface ShareWish {
  readonly shares: readonly Share[];
  readonly claimId: string;
  readonly now: Date;
  /** Told what is locked before anything is done with it. */
  readonly onLocked: (locked: readonly OpenDelivery[]) => void;
  readonly room: ClaimWish['room'];
}

/** Why a delivery waits whose webhook cannot be signed, as operators see it. */
export const UNSIGNED = 'the secret of its key cannot be opened';

async function claimShares(ctx: ClaimContext, { shares, claimId, now, onLocked, room }: ShareWish): Promise<Taken> {
  const leaseUntil = leaseFrom(now, ctx);
  return ctx.db.inTx(async (tx) => {
    const locked = await lockDueDeliveries(tx, shares, now);
    onLocked(locked);
    const decision = decideClaim(locked, await readOpenChains(tx, locked), now);
    // What there is no room for stays due.
    const chains = room?.fitting(decision.chains, lengthsOf(locked)) ?? decision.chains;
    const taken = chains.flat();
    const [filled] = await Promise.all([
      readAndFill(ctx, tx, taken, { endpoints: shares, claimId, leaseUntil, now }),
      markClaimed(tx, taken, { claimId, leaseUntil }),
      giveBack(
        tx,
        decision.postponed.map(({ delivery, dueAt }) => ({ ...delivery, dueAt })),
      ),
    ]);
    const { unsigned } = filled;
    const waiting = unsigned.map(({ delivery }) => ({ ...delivery, claimId, dueAt: putOffFrom(now) }));
    await putOffDeliveries(tx, waiting, UNSIGNED);
    const isCut = taken.length < decision.chains.flat().length;
    return { chains: readyChains(chains, filled), unsigned, isUsedUp: isCut || isAnyUsedUp(shares, locked) };
  });
}

function lengthsOf(locked: readonly DueDelivery[]): (delivery: OpenDelivery) => number {
  const lengths = new Map(locked.map((each) => [`${each.webhookId} ${each.eventId}`, each.textBytes]));
  return ({ webhookId, eventId }) => present(lengths.get(`${webhookId} ${eventId}`), 'length of what is taken');
}

function ofOneTenant(endpoints: readonly DueEndpoint[]): DueEndpoint[] {
  return endpoints.filter(({ accountId }) => accountId === endpoints[0]?.accountId);
}

function sharesOf(endpoints: readonly DueEndpoint[], { freeFor }: ClaimWish): Share[] {
  return endpoints.map((endpoint) => ({ free: freeFor(endpoint), ...endpoint })).filter(({ free }) => free > 0);
}

function isAnyUsedUp(shares: readonly EndpointShare[], locked: readonly OpenDelivery[]): boolean {
  const taken = new Map<string, number>();
  for (const { webhookId } of locked) taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1);
  return shares.some(({ webhookId, free }) => (taken.get(webhookId) ?? 0) >= free);
}

async function readAndFill(
  ctx: ClaimContext,
  tx: Tx,
  taken: readonly OpenDelivery[],
  facts: Omit<FillFacts, 'events'>,
): Promise<Filled> {
  return fillDeliveries(ctx, tx, taken, { ...facts, events: await readEvents(tx, taken) });
}
