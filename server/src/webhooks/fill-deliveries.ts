/** What sending needs beside the delivery: the body, built from its event, and the key that signs. */
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
): Promise<Map<OpenDelivery, ClaimedDelivery>> {
  if (taken.length === 0) return new Map();
  const byId = new Map(endpoints.map((endpoint) => [endpoint.webhookId, endpoint]));
  const used = [...new Set(taken.map((delivery) => present(byId.get(delivery.webhookId), 'endpoint')))];
  const descriptors = await descriptorsFor(db, events.values());
  const signers = await readSigningKeys(db, ctx.seal, used, now);
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

export function chainOf([first, ...rest]: readonly ClaimedDelivery[]): Chain {
  return [present(first, 'first of a chain'), ...rest];
}
