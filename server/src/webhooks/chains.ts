/** Deliveries of one webhook about one object, which go out in the order of their events: pure. */
import { groupBy } from '../kernel/group-by.ts';
import type { OpenDelivery } from './delivery.ts';

export function chainName({ webhookId, objectId }: OpenDelivery): string {
  return `${webhookId} ${objectId}`;
}

export function byChain(deliveries: readonly OpenDelivery[]): Map<string, OpenDelivery[]> {
  return groupBy(deliveries, chainName);
}

export function bySequence(one: OpenDelivery, other: OpenDelivery): number {
  return one.sequence - other.sequence;
}

/** Those that nobody has tried and that were put off: they waited for one that has come to its end. */
export function postponedBehind(
  finished: readonly OpenDelivery[],
  open: readonly OpenDelivery[],
  now: Date,
): OpenDelivery[] {
  const ends = new Map(finished.map((each) => [chainName(each), each.sequence]));
  return open.filter(
    (each) =>
      each.claimId === null &&
      each.attempts === 0 &&
      each.nextAttemptAt > now &&
      each.sequence > (ends.get(chainName(each)) ?? Number.MAX_SAFE_INTEGER),
  );
}
