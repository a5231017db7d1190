/** What sending needs beside the delivery: the body, built from its event, and the key that signs. */
import type { SealBroken } from '../accounts/seal.ts';
import { readSigningKeys } from '../accounts/signing-keys.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Queryable } from '../kernel/database.ts';
import type { Chain, ClaimedDelivery, OpenDelivery, StoredEvent } from './delivery.ts';
import { descriptorsFor, envelopeOf } from './envelope.ts';

export interface FillFacts {
  readonly events: ReadonlyMap<string, StoredEvent>;
  readonly endpoints: readonly Endpoint[];
  readonly claimId: string;
  readonly leaseUntil: Date;
  readonly now: Date;
}

export interface Filled {
  readonly ready: ReadonlyMap<OpenDelivery, ClaimedDelivery>;
  /** Those whose key does not open, in the same order: all of a webhook, or none. */
  readonly unsigned: readonly Unsigned[];
}

export interface Unsigned {
  readonly delivery: OpenDelivery;
  readonly fault: SealBroken;
}

interface Endpoint {
  readonly accountId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly key: string;
}

export async function fillDeliveries(
  ctx: Pick<Context, 'seal'>,
  db: Queryable,
  taken: readonly OpenDelivery[],
  { events, endpoints, claimId, leaseUntil, now }: FillFacts,
): Promise<Filled> {
  if (taken.length === 0) return { ready: new Map(), unsigned: [] };
  const byId = new Map(endpoints.map((endpoint) => [endpoint.webhookId, endpoint]));
  const used = [...new Set(taken.map((delivery) => present(byId.get(delivery.webhookId), 'endpoint')))];
  const descriptors = await descriptorsFor(db, events.values());
  const { signers, broken } = await readSigningKeys(db, ctx.seal, used, now);
  const faultOf = ({ webhookId }: OpenDelivery) => broken.get(present(byId.get(webhookId), 'endpoint').key);
  const signed = broken.size === 0 ? taken : taken.filter((delivery) => faultOf(delivery) === undefined);
  const ready = new Map(
    signed.map((delivery): [OpenDelivery, ClaimedDelivery] => {
      const { url, key } = present(byId.get(delivery.webhookId), 'endpoint');
      const event = present(events.get(delivery.eventId), 'event of a delivery');
      const body = envelopeOf(delivery.webhookId, event, descriptors);
      const signer = signers.get(key);
      const { event: name, createdAt: eventAt } = event;
      return [delivery, { url, signer, event: name, eventAt, body, ...delivery, claimId, nextAttemptAt: leaseUntil }];
    }),
  );
  if (broken.size === 0) return { ready, unsigned: [] };
  const unsigned = taken.flatMap((delivery) => {
    const fault = faultOf(delivery);
    return fault === undefined ? [] : [{ delivery, fault }];
  });
  return { ready, unsigned };
}

/** Those of webhooks whose key does not open are left out as a whole: a chain is of one webhook. */
export function readyChains(chains: Iterable<readonly OpenDelivery[]>, { ready, unsigned }: Filled): Chain[] {
  const isUnsigned = new Set(unsigned.map(({ delivery }) => delivery));
  return [...chains]
    .filter(([first]) => first !== undefined && !isUnsigned.has(first))
    .map((chain) => chainOf(chain.map((delivery) => present(ready.get(delivery), 'claimed delivery'))));
}

function chainOf([first, ...rest]: readonly ClaimedDelivery[]): Chain {
  return [present(first, 'first of a chain'), ...rest];
}
