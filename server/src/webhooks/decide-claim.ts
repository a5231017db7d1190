/**
 * Which of the due deliveries may be sent now: pure. A webhook gets the events of one object in their order, so a
 * delivery is taken only if every open one before it is taken too; the others wait. Open point OP-116.
 */
import { byChain, bySequence } from './chains.ts';
import type { OpenDelivery } from './delivery.ts';

interface ClaimDecision {
  /** Each in the order in which it is to be sent. */
  readonly chains: readonly (readonly OpenDelivery[])[];
  readonly postponed: readonly { readonly delivery: OpenDelivery; readonly dueAt: Date }[];
}

/** While the one before is being sent, this is how soon it is looked at again should nobody release it. */
export const LOOK_AGAIN_MS = 1_000;

export function decideClaim(locked: readonly OpenDelivery[], open: readonly OpenDelivery[], now: Date): ClaimDecision {
  const isLocked = new Set(locked.map(nameOf));
  const openBy = byChain(open);
  const chains: OpenDelivery[][] = [];
  const postponed: { delivery: OpenDelivery; dueAt: Date }[] = [];
  for (const [name, mine] of byChain(locked)) {
    const all = (openBy.get(name) ?? []).toSorted(bySequence);
    const firstOther = all.findIndex((delivery) => !isLocked.has(nameOf(delivery)));
    const taken = firstOther === -1 ? all : all.slice(0, firstOther);
    if (taken.length > 0) chains.push(taken);
    const isTaken = new Set(taken.map(nameOf));
    const waiting = mine.filter((delivery) => !isTaken.has(nameOf(delivery)));
    if (waiting.length === 0) continue;
    // None: all that was read of a long chain is taken, and these stand behind what was read.
    const before = firstOther === -1 ? undefined : all[firstOther];
    for (const delivery of waiting) postponed.push({ delivery, dueAt: waitFor(before, now) });
  }
  return { chains, postponed };
}

/** A delivery that waits for its own next attempt lets the others wait as long; nothing else can finish it before. */
function waitFor(before: OpenDelivery | undefined, now: Date): Date {
  const soon = new Date(now.getTime() + LOOK_AGAIN_MS);
  return before?.claimId === null && before.nextAttemptAt > soon ? before.nextAttemptAt : soon;
}

function nameOf({ eventId, webhookId }: OpenDelivery): string {
  return `${eventId} ${webhookId}`;
}
