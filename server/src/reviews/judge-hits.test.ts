import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strengthOf } from '../screening/sender-screening.ts';
import { clearHits, judgeHits, openHits } from './judge-hits.ts';

/** As rows have it from before strengths were kept, without one also where the score was cut to 1. */
const degree = fc.oneof(
  fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ score: fc.constant(1), strength: fc.double({ min: 1, max: 1.2, noNaN: true }) }),
);
const hit = fc
  .record({
    list: fc.constantFrom('un', 'eu'),
    entryId: fc.constantFrom('1', '2', '3'),
    name: fc.string(),
    matchedName: fc.string(),
    explanation: fc.array(fc.string()),
  })
  .chain((entry) => degree.map((alike) => ({ ...entry, ...alike })));
const hits = fc.array(hit, { maxLength: 6 });
const keyOf = ({ list, entryId }: { list: string; entryId: string }) => `${list} ${entryId}`;

describe('hits', () => {
  it('count as long as nobody has cleared any', () => {
    fc.assert(fc.property(hits, (found) => openHits(judgeHits(found, [])).length === found.length));
  });

  it('that were cleared do not come back as long as the lists say the same', () => {
    fc.assert(fc.property(hits, (found) => openHits(judgeHits(found, clearHits([], found))).length === 0));
  });

  it('come back when they match better than what was cleared, and only those', () => {
    fc.assert(
      fc.property(hits, hits, (before, now) => {
        const cleared = clearHits([], before);
        const best = new Map(cleared.map((each) => [keyOf(each), strengthOf(each)]));
        const open = openHits(judgeHits(now, cleared));
        const better = now.filter((each) => strengthOf(each) > (best.get(keyOf(each)) ?? -1));
        expect(open.map(keyOf)).toEqual(better.map(keyOf));
      }),
    );
  });

  it('are cleared once for each entry, as the best match that was ever cleared', () => {
    fc.assert(
      fc.property(hits, hits, (first, second) => {
        const cleared = clearHits(clearHits([], first), second);
        expect(new Set(cleared.map(keyOf)).size).toBe(cleared.length);
        for (const each of [...first, ...second]) {
          const known = cleared.find((one) => keyOf(one) === keyOf(each));
          expect(known && strengthOf(known)).toBeGreaterThanOrEqual(strengthOf(each));
        }
      }),
    );
  });
});
