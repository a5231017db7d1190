/** Seeds that are done, as ranges. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeedRanges } from '../../simulate/seed-ranges.ts';

describe('seeds that are done', () => {
  it('are told as ranges, in whatever order they came', () => {
    const done = new SeedRanges([[1, 3]]);
    for (const seed of [9, 4, 7, 8]) done.add(seed);
    expect(done.all()).toEqual([
      [1, 4],
      [7, 9],
    ]);
    expect([4, 5, 7].map((seed) => done.has(seed))).toEqual([true, false, true]);
  });

  it('are the same ones after they were written down and read again', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 60 })), (seeds) => {
        const done = new SeedRanges();
        for (const seed of seeds) done.add(seed);
        const again = new SeedRanges(done.all());
        for (let seed = 0; seed <= 60; seed += 1) expect(again.has(seed)).toBe(seeds.includes(seed));
      }),
    );
  });
});
