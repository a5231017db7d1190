/** The planted faults of `npm run mutate` fit the source as it is, and were all caught. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { planted } from '../../prove/mutations/plant.ts';
import { AREAS, MUTANTS } from '../../prove/mutations/table.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEAST_FAULTS = 25;
const results = JSON.parse(readFileSync(`${ROOT}prove/results.json`, 'utf8'))['planted-faults'];

describe('the planted faults', () => {
  it('are enough, spread over all areas, and each has a name of its own', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(LEAST_FAULTS);
    expect(AREAS.map(({ area }) => area)).toEqual([
      'money',
      'ledger',
      'funding',
      'payouts',
      'collections',
      'webhooks',
      'senders',
      'authentication',
      'requests',
      'operators',
      'running it',
    ]);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS)('$name fits its file and names tests that are there', (mutant) => {
    expect(planted(ROOT, mutant)).not.toBe(readFileSync(ROOT + mutant.file, 'utf8'));
    expect(mutant.tests.length).toBeGreaterThan(0);
    expect(mutant.tests.filter((test) => !existsSync(ROOT + test))).toEqual([]);
  });

  it('are refused when the source has changed', () => {
    const [mutant] = MUTANTS;
    if (!mutant) throw new Error('there is a fault');
    expect(() => planted(ROOT, { ...mutant, find: 'a text that is not there' })).toThrow('0 times');
    expect(() => planted(ROOT, { ...mutant, find: 'return' })).toThrow('and not once');
  });

  it('were all caught, each by one of its tests', () => {
    const caughtElsewhere = MUTANTS.filter(
      ({ name, tests }) => !tests.some((test) => String(results[name]).startsWith(`${test}: `)),
    );
    expect(caughtElsewhere.map(({ name }) => name)).toEqual([]);
    expect(results.caught).toBe(MUTANTS.length);
  });
});
