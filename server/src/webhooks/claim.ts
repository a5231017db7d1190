/**
 * Claiming deliveries that are due: locked, marked with a lease, committed; then they are sent with no transaction open.
 * Endpoints take turns and each gets no more than it can take, so that what waits for a dead one delays nobody else. A
 * claim that is never recorded, because its process died, runs out with its lease and is made again by another.
 */
import { readSigningKeys } from '../accounts/signing-keys.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { decideClaim } from './decide-claim.ts';
import type { Chain, ClaimedDelivery, OpenDelivery } from './delivery.ts';
import {
  type DueEndpoint,
  type EndpointShare,
  giveBack,
  lockDueDeliveries,
  markClaimed,
  readDueEndpoints,
  readOpenChains,
} from './delivery-store.ts';
import { descriptorsFor, envelopeOf } from './envelope.ts';
import { readEvents } from './event-store.ts';

export type ClaimContext = Pick<Context, 'db' | 'clock' | 'ids' | 'seal' | 'settings'>;

export interface ClaimWish {
  /** Where the claim before ended, so that all endpoints get their turn; null begins anew. */
  readonly after: { readonly accountId: string; readonly webhookId: string } | null;
  /** Webhooks that have all they can take. */
  readonly without: readonly string[];
  /** How many deliveries this webhook may be given now. */
  readonly freeFor: (endpoint: DueEndpoint) => number;
}

export interface Claim {
  readonly chains: readonly Chain[];
  readonly endpoints: readonly DueEndpoint[];
  /** Where the next claim begins; null when this one has seen all endpoints. */
  readonly next: ClaimWish['after'];
  /** Whether more may be due that this claim had no room for. What is stored from now on wakes its worker itself. */
  readonly hasMore: boolean;
}

/** Of one claim. Many endpoints take turns. */
export const MAX_ENDPOINTS_PER_CLAIM = 64;
/** How many deliveries wait for each request that may be under way to a webhook. */
export const CLAIMED_PER_REQUEST = 4;
const LEASE_MARGIN_MS = 10_000;

/** Long enough for what waits in front of a delivery, should each request take all its time. */
export function leaseMs(timeoutMs: number): number {
  return timeoutMs * (CLAIMED_PER_REQUEST + 1) + LEASE_MARGIN_MS;
}

export async function claimDeliveries(ctx: ClaimContext, wish: ClaimWish): Promise<Claim> {
  const now = ctx.clock.now();
  const claimId = ctx.ids.next();
  const leaseUntil = new Date(now.getTime() + leaseMs(ctx.settings.webhooks.timeoutMs));
  const { after, without } = wish;
  // Nothing is locked by this, so that it needs no transaction; mostly nothing is due, and that is all.
  const due = await readDueEndpoints(ctx.db, { now, after, without, limit: MAX_ENDPOINTS_PER_CLAIM });
  if (due.length === 0) return { chains: [], endpoints: [], next: null, hasMore: false };
  const endpoints = ctx.settings.database.oneTenantBatches ? ofOneTenant(due) : due;
  const last = endpoints.at(-1);
  const isAll = due.length < MAX_ENDPOINTS_PER_CLAIM && endpoints.length === due.length;
  const next = isAll || last === undefined ? null : last;
  return ctx.db.inTx(async (tx) => {
    const shares = sharesOf(endpoints, wish);
    const locked = await lockDueDeliveries(tx, shares, now);
    const decision = decideClaim(locked, await readOpenChains(tx, locked), now);
    const taken = decision.chains.flat();
    const [filled] = await Promise.all([
      fill(ctx, tx, { taken, endpoints, claimId, leaseUntil, now }),
      markClaimed(tx, taken, { claimId, leaseUntil }),
      giveBack(
        tx,
        decision.postponed.map(({ delivery, dueAt }) => ({ ...delivery, dueAt })),
      ),
    ]);
    const chains = decision.chains.map((chain) =>
      chainOf(chain.map((delivery) => present(filled.get(delivery), 'claimed delivery'))),
    );
    return { chains, endpoints, next, hasMore: next !== null || isAnyUsedUp(shares, locked) };
  });
}

function ofOneTenant(endpoints: readonly DueEndpoint[]): DueEndpoint[] {
  return endpoints.filter(({ accountId }) => accountId === endpoints[0]?.accountId);
}

function sharesOf(endpoints: readonly DueEndpoint[], { freeFor }: ClaimWish): EndpointShare[] {
  return endpoints.map((endpoint) => ({ free: freeFor(endpoint), ...endpoint })).filter(({ free }) => free > 0);
}

function isAnyUsedUp(shares: readonly EndpointShare[], locked: readonly OpenDelivery[]): boolean {
  const taken = new Map<string, number>();
  for (const { webhookId } of locked) taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1);
  return shares.some(({ webhookId, free }) => (taken.get(webhookId) ?? 0) >= free);
}

function chainOf([first, ...rest]: readonly ClaimedDelivery[]): Chain {
  return [present(first, 'first of a chain'), ...rest];
}

interface Taken {
  readonly taken: readonly OpenDelivery[];
  readonly endpoints: readonly DueEndpoint[];
  readonly claimId: string;
  readonly leaseUntil: Date;
  readonly now: Date;
}

/** Reads what sending needs: the event, the descriptors that belong into it, and the key that signs. */
async function fill(
  ctx: ClaimContext,
  tx: Tx,
  { taken, endpoints, claimId, leaseUntil, now }: Taken,
): Promise<Map<OpenDelivery, ClaimedDelivery>> {
  if (taken.length === 0) return new Map();
  const byId = new Map(endpoints.map((endpoint) => [endpoint.webhookId, endpoint]));
  const used = [...new Set(taken.map((delivery) => present(byId.get(delivery.webhookId), 'endpoint')))];
  const events = await readEvents(tx, taken);
  const descriptors = await descriptorsFor(tx, events.values());
  const signers = await readSigningKeys(tx, ctx.seal, used, now);
  return new Map(
    taken.map((delivery) => {
      const { url, key } = present(byId.get(delivery.webhookId), 'endpoint');
      const event = present(events.get(delivery.eventId), 'event of a delivery');
      const body = envelopeOf(delivery.webhookId, event, descriptors);
      const signer = signers.get(key);
      const { event: name, createdAt: eventAt } = event;
      return [delivery, { url, signer, event: name, eventAt, body, ...delivery, claimId, nextAttemptAt: leaseUntil }];
    }),
  );
}
