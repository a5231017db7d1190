/** The labelled set of bench/screening.ts with smaller counts: the figures that docs/screening.md gives, as a test. */
import { describe, expect, it } from 'vitest';
import { listScreening } from '../../server/src/screening/list-screening.ts';
import { NameIndex } from '../../server/src/screening/name-index.ts';
import { SCREENING_ROWS } from '../../server/src/settings/rows-screening.ts';
import { evaluate } from './labelled/evaluate.ts';
import { labelledSet } from './labelled/labelled-set.ts';

const SEED = 7;
const ENTRIES = 4_000;
const EACH = 400;

const threshold = Number(SCREENING_ROWS.find(({ key }) => key === 'screening.threshold')?.default);

function screeningOf(set: ReturnType<typeof labelledSet>) {
  const index = new NameIndex();
  for (const entry of set.entries) index.add(entry);
  for (const _ of index.finish());
  return listScreening({ index, version: 'test', threshold });
}

describe('screening of a labelled set', () => {
  const set = labelledSet({ seed: SEED, entries: ENTRIES, each: EACH });
  const result = evaluate(screeningOf(set), set.subjects);

  it('finds 98 of 100 who are on the list under a changed name', () => {
    expect(result.recall, [...result.missed].join('; ')).toBeGreaterThanOrEqual(0.98);
  });

  it('is right in nine of ten when it raises an alarm', () => {
    expect(result.precision, [...result.mistaken].join('; ')).toBeGreaterThanOrEqual(0.9);
  });

  it('the set is the same for the same seed and another for another', () => {
    const again = labelledSet({ seed: SEED, entries: 50, each: 20 });
    expect(again).toEqual(labelledSet({ seed: SEED, entries: 50, each: 20 }));
    expect(again).not.toEqual(labelledSet({ seed: SEED + 1, entries: 50, each: 20 }));
  });

  it('has as many near misses as subjects who are on the list', () => {
    const listed = set.subjects.filter(({ entryId }) => entryId !== undefined);
    expect([listed.length, set.subjects.length]).toEqual([EACH, 2 * EACH]);
  });
});
