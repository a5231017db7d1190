/** The results of long runs of the simulation: they are gone on with, and the file says which version ran what. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SeedReport } from '../../simulate/report.ts';
import { programHash, readVersions, resultsOf, seedsRun, writeResults } from '../../simulate/results.ts';
import { Totals } from '../../simulate/totals.ts';

const directory = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'results.json');

function aReport(seed: number, over: Partial<SeedReport> = {}): SeedReport {
  const counts = { transactions: 50, calls: 200, faults: 10, crashes: 2, jumps: 1, sleeps: 0, providerCalls: 300 };
  return {
    seed,
    violations: [],
    counts,
    simulatedMs: 86_400_000,
    statements: 9_000,
    processorMs: 4_000,
    told: [],
    ...over,
  };
}

describe('results of seeds', () => {
  it('go on where a run was stopped', () => {
    const first = new Totals();
    for (const seed of [1, 2]) first.add(aReport(seed));
    first.add(aReport(3, { violations: [{ invariant: 'the books balance', what: 'they do not' }] }));
    writeResults('one', { seeds: first.summary() }, file);
    expect([3, 4].map((seed) => seedsRun(file).has(seed))).toEqual([true, false]);
    const second = new Totals(resultsOf('one', file).seeds);
    second.add(aReport(4));
    expect(second.summary()).toMatchObject({
      seeds: 4,
      ranges: [[1, 4]],
      violations: [{ seed: 3, invariant: 'the books balance', what: 'they do not' }],
      ...{ transactions: 200, faults: 40, crashes: 8, statements: 36_000, simulatedDays: 4, processorSeconds: 16 },
    });
  });

  it('stand beside those of the month', () => {
    const month = new Totals();
    month.add(aReport(1));
    writeResults('one', { month: month.summary() }, file);
    expect(resultsOf('one', file)).toMatchObject({ program: 'one', seeds: { seeds: 3 }, month: { seeds: 1 } });
    expect(seedsRun(file).all()).toEqual([[1, 3]]);
  });

  it('of another version are kept beside, and tell which version ran which range', () => {
    expect(resultsOf('two', file)).toEqual({});
    const second = new Totals(resultsOf('two', file).seeds);
    for (const seed of [4, 5, 9]) second.add(aReport(seed));
    const { all, versions } = writeResults('two', { seeds: second.summary() }, file);
    expect(readVersions(file)).toEqual(versions);
    expect(versions.map(({ program, seeds, month }) => [program, seeds?.ranges, month?.seeds])).toEqual([
      ['one', [[1, 3]], 1],
      [
        'two',
        [
          [4, 5],
          [9, 9],
        ],
        undefined,
      ],
    ]);
    expect(all).toMatchObject({
      seeds: 6,
      seedsOfPresentVersion: 3,
      violations: 1,
      ...{ transactions: 300, faults: 60, crashes: 12, processorSeconds: 24 },
    });
    expect(all.ranges).toEqual([
      [1, 5],
      [9, 9],
    ]);
  });

  it('begun anew by a version leave those of the others', () => {
    const again = new Totals();
    again.add(aReport(2));
    const { all } = writeResults('two', { seeds: again.summary() }, file);
    expect(all).toMatchObject({ seeds: 3, seedsOfPresentVersion: 1, transactions: 200 });
    expect(resultsOf('one', file).seeds?.ranges).toEqual([[1, 3]]);
  });

  it('carry a hash of all sources, the same for the same sources', () => {
    expect(programHash()).toMatch(/^[0-9a-f]{16}$/);
    expect(programHash()).toBe(programHash());
  });
});
