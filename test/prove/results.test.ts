/** What was proved is kept with its version, and docs/proof.md shows what is in the results. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withResults } from '../../prove/page.ts';
import { caughtIn, plantedResult } from '../../prove/planted.ts';
import { isProvedOn, type ProofResult, readResults, writeResult } from '../../prove/results.ts';
import { sourcesOfProofs, versionNow } from '../../prove/version.ts';

const directory = mkdtempSync(join(tmpdir(), 'payferry-results-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const AT = '2026-11-19T10:00:00.000Z';
const PAGE = readFileSync(new URL('../../docs/proof.md', import.meta.url), 'utf8');

describe('a version', () => {
  it('is a hash of the proofs and of what they run through, and the same as long as these are', () => {
    expect(versionNow()).toMatch(/^[0-9a-f]{16}$/);
    expect(versionNow()).toBe(versionNow());
    const sources = sourcesOfProofs();
    expect(sources).toContain('prove/crash/lives.ts');
    expect(sources).toContain('test/sessions/schedules.test.ts');
    expect(sources).toContain('server/src/money/rounding.test.ts');
    // Otherwise a proof would be of another version as soon as its result is written down.
    expect(sources.filter((file) => file.endsWith('.json') || file.endsWith('.md'))).toEqual([]);
  });

  it('is the one on which a result counts; without one it counts on none', () => {
    expect(isProvedOn('a', { version: 'a' })).toBe(true);
    expect(isProvedOn('b', { version: 'a' })).toBe(false);
    expect(isProvedOn('a', {})).toBe(false);
    expect(isProvedOn('a', undefined)).toBe(false);
  });
});

describe('a result', () => {
  it('takes the place of the one before, and leaves those of other proofs', () => {
    const file = join(directory, 'results.json');
    expect(readResults(file)).toEqual({});
    writeResult('one', { at: AT, kills: 1 }, file);
    writeResult('other', { at: AT, version: 'a', kills: 2 }, file);
    expect(writeResult('one', { at: AT, version: 'b', kills: 3 }, file)).toEqual(readResults(file));
    expect(readResults(file)).toEqual({
      one: { at: AT, version: 'b', kills: 3 },
      other: { at: AT, version: 'a', kills: 2 },
    });
  });

  it('of planted faults has a version for each, and one of its own when all are of one', () => {
    const two = (first?: string, second?: string) =>
      plantedResult(
        new Map([
          ['forgotten', { by: 'a.test.ts: one', version: first }],
          ['doubled', { by: 'b.test.ts: two', version: second }],
        ]),
        2,
        new Date(AT),
      );
    expect(two('a', 'a')).toMatchObject({ version: 'a', caught: 2, versions: { forgotten: 'a', doubled: 'a' } });
    for (const mixed of [two('a', 'b'), two('a'), two()]) expect(mixed).not.toHaveProperty('version');
    expect(two('a')).toMatchObject({ versions: { forgotten: 'a' }, doubled: 'b.test.ts: two' });
    expect(caughtIn(two('a')).get('doubled')).toEqual({ by: 'b.test.ts: two', version: undefined });
    expect([...caughtIn(two('a')).keys()]).toEqual(['forgotten', 'doubled']);
    const missing = plantedResult(new Map([['forgotten', { by: 'a: b', version: 'a' }]]), 2, new Date(AT));
    expect(missing).not.toHaveProperty('version');
  });
});

describe('docs/proof.md', () => {
  const CRASHES: ProofResult = {
    at: AT,
    version: '0123456789abcdef',
    seed: 7,
    acknowledged: 5_656,
    unanswered: 12,
    allKills: 100,
    allAcceptedP50Ms: 700,
    allAcceptedP99Ms: 6_886,
    allPaidP50Ms: 514,
    allPaidP99Ms: 12_162,
    lost: 0,
    paidTwice: 0,
  };

  it('shows what is in the results (npm run prove -- --page)', () => {
    expect(withResults(PAGE, readResults())).toBe(PAGE);
  });

  it('tells of kills what was counted, and how long it took to recover', () => {
    const page = withResults(PAGE, { 'crash-and-load': CRASHES });
    expect(page).toContain('| `crash-and-load` | 2026-11-19 | `0123456789abcdef` | 7 | 100 | 5,656 | 12 | 0 | 0 |\n');
    expect(page).toContain('| `crash-and-load` | all | 100 | 700 ms | 6,886 ms | 514 ms | 12,162 ms |\n');
    expect(page).toContain('| `failover` | not run yet |');
  });

  it('calls a result without a version older, and leaves empty what was not counted', () => {
    const page = withResults(PAGE, {
      'kill-program-during-delivery': { at: AT, seed: 3, kills: 20, created: 9, lost: 0 },
    });
    expect(page).toContain('| `kill-program-during-delivery` | 2026-11-19 | older | 3 | 20 | 9 |  | 0 |  |\n');
  });

  it('tells on which versions faults were planted', () => {
    const planted = plantedResult(
      new Map([
        ['forgotten', { by: 'a.test.ts: one', version: 'a' }],
        ['doubled', { by: 'b.test.ts: two', version: undefined }],
      ]),
      3,
      new Date(AT),
    );
    const page = withResults(PAGE, { 'planted-faults': planted });
    expect(page).toContain('Caught: 2 of 3, 1 on version `a`, 1 on an older version.');
  });

  it('is refused when it has no place for them', () => {
    expect(() => withResults('# Nothing', {})).toThrow('no place');
  });
});
