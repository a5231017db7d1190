import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideClaim, LOOK_AGAIN_MS } from './decide-claim.ts';
import type { OpenDelivery } from './delivery.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const LATER = new Date('2026-11-15T13:00:00.000Z');

function delivery(objectId: string, sequence: number, over: Partial<OpenDelivery> = {}): OpenDelivery {
  const ids = { accountId: 'a', webhookId: 'w', objectId, eventId: `${objectId}-${sequence}` };
  return { ...ids, sequence, attempts: 0, tries: 0, nextAttemptAt: NOW, claimId: null, ...over };
}

const eventsOf = (deliveries: readonly OpenDelivery[]) => deliveries.map(({ eventId }) => eventId);

describe('of the deliveries that are due', () => {
  it('those of one object are taken together, in the order of their events', () => {
    const due = [delivery('o', 2), delivery('o', 1), delivery('p', 1)];
    const { chains, postponed } = decideClaim(due, due, NOW);
    expect(chains.map(eventsOf)).toEqual([['o-1', 'o-2'], ['p-1']]);
    expect(postponed).toEqual([]);
  });

  it('one whose predecessor waits for its next attempt waits as long', () => {
    const waiting = delivery('o', 1, { nextAttemptAt: LATER, attempts: 1 });
    const due = [delivery('o', 2), delivery('o', 3)];
    const { chains, postponed } = decideClaim(due, [waiting, ...due], NOW);
    expect(chains).toEqual([]);
    expect(postponed.map(({ dueAt }) => dueAt)).toEqual([LATER, LATER]);
  });

  it('one whose predecessor is being sent is looked at again soon', () => {
    const sending = delivery('o', 1, { nextAttemptAt: LATER, claimId: 'another' });
    const due = [delivery('o', 2)];
    const { postponed } = decideClaim(due, [sending, ...due], NOW);
    expect(postponed.map(({ dueAt }) => dueAt.getTime())).toEqual([NOW.getTime() + LOOK_AGAIN_MS]);
  });

  it('those behind the part of a long object that was read wait for it, and are looked at again soon', () => {
    const due = [1, 2, 3, 4].map((sequence) => delivery('o', sequence));
    const { chains, postponed } = decideClaim(due, due.slice(0, 2), NOW);
    expect(chains.map(eventsOf)).toEqual([['o-1', 'o-2']]);
    expect(eventsOf(postponed.map((each) => each.delivery))).toEqual(['o-3', 'o-4']);
    expect(new Set(postponed.map(({ dueAt }) => dueAt.getTime()))).toEqual(new Set([NOW.getTime() + LOOK_AGAIN_MS]));
  });

  it('none is taken whose predecessor is open and not taken, and none is forgotten', () => {
    const anyOpen = fc.uniqueArray(
      fc.record({ object: fc.constantFrom('o', 'p', 'q'), sequence: fc.nat({ max: 8 }) }),
      {
        selector: ({ object, sequence }) => `${object}${sequence}`,
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(anyOpen, fc.infiniteStream(fc.boolean()), (rows, isDue) => {
        const open = rows.map(({ object, sequence }) => delivery(object, sequence));
        const due = open.filter(() => isDue.next().value === true);
        const { chains, postponed } = decideClaim(due, open, NOW);
        const taken = new Set(eventsOf(chains.flat()));
        for (const one of chains.flat()) {
          const before = open.filter(({ objectId, sequence }) => objectId === one.objectId && sequence < one.sequence);
          expect(eventsOf(before).every((id) => taken.has(id))).toBe(true);
        }
        const seen = [...taken, ...eventsOf(postponed.map((each) => each.delivery))];
        expect(seen.toSorted()).toEqual(eventsOf(due).toSorted());
      }),
    );
  });
});
