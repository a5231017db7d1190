import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearHits, judgeHits, openHits } from './judge-hits.ts';

const hit = fc.record({
  list: fc.constantFrom('un', 'eu'),
  entryId: fc.constantFrom('1', '2', '3'),
  name: fc.string(),
  matchedName: fc.string(),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  explanation: fc.array(fc.string()),
});
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
        const best = new Map(cleared.map((each) => [keyOf(each), each.score]));
        const open = openHits(judgeHits(now, cleared));
        expect(open.map(keyOf)).toEqual(now.filter((each) => each.score > (best.get(keyOf(each)) ?? -1)).map(keyOf));
      }),
    );
  });

  it('are cleared once for each entry, at the best score that was ever cleared', () => {
    fc.assert(
      fc.property(hits, hits, (first, second) => {
        const cleared = clearHits(clearHits([], first), second);
        expect(new Set(cleared.map(keyOf)).size).toBe(cleared.length);
        for (const each of [...first, ...second]) {
          expect(cleared.find((known) => keyOf(known) === keyOf(each))?.score).toBeGreaterThanOrEqual(each.score);
        }
      }),
    );
  });
});
