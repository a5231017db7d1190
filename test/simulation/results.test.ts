/** The results of long runs of the simulation: they are gone on with, and those of two versions are never mixed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SeedReport } from '../../simulate/report.ts';
import { areOfAnother, programHash, readResults, writeResults } from '../../simulate/results.ts';
import { Totals } from '../../simulate/totals.ts';

const directory = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'results.json');

function aReport(seed: number, over: Partial<SeedReport> = {}): SeedReport {
  const counts = { transactions: 50, calls: 200, faults: 10, crashes: 2, jumps: 1, providerCalls: 300 };
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
    const second = new Totals(readResults('one', file)?.seeds);
    expect([3, 4].map((seed) => second.done.has(seed))).toEqual([true, false]);
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
    expect(readResults('one', file)).toMatchObject({ program: 'one', seeds: { seeds: 3 }, month: { seeds: 1 } });
  });

  it('of another version are neither read nor kept', () => {
    expect([areOfAnother('one', file), areOfAnother('two', file)]).toEqual([false, true]);
    expect(readResults('two', file)).toBeUndefined();
    writeResults('two', { seeds: new Totals().summary() }, file);
    expect(readResults('two', file)?.month).toBeUndefined();
  });

  it('carry a hash of all sources, the same for the same sources', () => {
    expect(programHash()).toMatch(/^[0-9a-f]{16}$/);
    expect(programHash()).toBe(programHash());
  });
});
