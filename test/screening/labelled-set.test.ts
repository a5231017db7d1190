/** The labelled sets of bench/screening.ts with smaller counts: what docs/screening.md wants of them, as a test. */
import { describe, expect, it } from 'vitest';
import { listScreening } from '../../server/src/screening/list-screening.ts';
import { NameIndex } from '../../server/src/screening/name-index.ts';
import { SCREENING_ROWS } from '../../server/src/settings/rows-screening.ts';
import { evaluate } from './labelled/evaluate.ts';
import { labelledSet, SET_NAMES } from './labelled/labelled-set.ts';

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
  const screening = screeningOf(set);
  const usual = evaluate(screening, set.subjects.usual);
  const hard = evaluate(screening, set.subjects.hard);

  it('finds 99 of 100 who are on the list under a name with one or two changes', () => {
    expect(usual.recall, [...usual.missed].join('; ')).toBeGreaterThanOrEqual(0.99);
  });

  it('finds 98 of 100 who are on the list under a name with up to three changes', () => {
    expect(hard.recall, [...hard.missed].join('; ')).toBeGreaterThanOrEqual(0.98);
  });

  it.each([
    ['one or two', usual],
    ['up to three', hard],
  ])('is right in nine of ten when it raises an alarm, with %s changes', (_changes, { precision, mistaken }) => {
    expect(precision, [...mistaken].join('; ')).toBeGreaterThanOrEqual(0.9);
  });

  it('the set is the same for the same seed and another for another', () => {
    const again = labelledSet({ seed: SEED, entries: 50, each: 20 });
    expect(again).toEqual(labelledSet({ seed: SEED, entries: 50, each: 20 }));
    expect(again).not.toEqual(labelledSet({ seed: SEED + 1, entries: 50, each: 20 }));
  });

  it.each(SET_NAMES)('has as many near misses as subjects who are on the list: %s', (name) => {
    const listed = set.subjects[name].filter(({ entryId }) => entryId !== undefined);
    expect([listed.length, set.subjects[name].length]).toEqual([EACH, 2 * EACH]);
  });

  it('usual names have one or two changes, an alias being one and two slips being two', () => {
    const counts = set.subjects.usual.slice(0, EACH).map(({ how }) => {
      const changes = how.split(', ').filter((change) => change !== 'looks' && change !== '');
      return changes.reduce((sum, change) => sum + (change === 'two typos' ? 2 : 1), 0);
    });
    expect([...new Set(counts)].sort()).toEqual([1, 2]);
  });
});
