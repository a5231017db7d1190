import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function watched(places: number, longest = 100) {
  const queue = new FairQueue({ places, longest });
  const started: string[] = [];
  return { queue, started, ask: (key: string, name = key) => queue.enter(key, () => started.push(name)) };
}

describe('a queue for a few places', () => {
  it('starts at once while there is room, and then as places are given back', () => {
    const { queue, started, ask } = watched(2);
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name);
    expect([started, queue.taken, queue.waiting]).toEqual([['a1', 'a2'], 2, 2]);
    queue.leave();
    expect([started, queue.taken, queue.waiting]).toEqual([['a1', 'a2', 'a3'], 2, 1]);
    for (let left = 0; left < 3; left += 1) queue.leave();
    expect([started.at(-1), queue.taken, queue.waiting]).toEqual(['a4', 0, 0]);
  });

  it('lets keys take turns, whoever asked for more', () => {
    const { queue, started, ask } = watched(1);
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name);
    for (const name of ['b1', 'b2']) ask('b', name);
    ask('c', 'c1');
    while (queue.taken > 0) queue.leave();
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('takes no more of a key than may wait, and of the others all the same', () => {
    const { queue, ask } = watched(1, 2);
    expect(['a', 'a', 'a', 'a', 'b'].map((key) => ask(key))).toEqual([true, true, true, false, true]);
    expect(queue.waiting).toBe(3);
  });

  it('starts each once, in the order of its key, and never more at a time than there are places', () => {
    const step = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant('leave'));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 200 }), (places, steps) => {
        const { queue, started, ask } = watched(places);
        const asked: string[] = [];
        let left = 0;
        for (const [at, what] of steps.entries()) {
          if (what !== 'leave') {
            asked.push(`${what}${at}`);
            ask(what, `${what}${at}`);
          } else if (queue.taken > 0) {
            left += 1;
            queue.leave();
          }
          expect(started.length - left).toBe(queue.taken);
          expect(queue.taken).toBeLessThanOrEqual(places);
        }
        while (queue.taken > 0) queue.leave();
        const of = (key: string, all: readonly string[]) => all.filter((name) => name.startsWith(key));
        for (const key of ['a', 'b', 'c']) expect(of(key, started)).toEqual(of(key, asked));
      }),
    );
  });
});
