/**
 * `npm run mutate`: plants known faults one by one and shows that the tests catch each. `--only NAME` plants one (and
 * may be repeated), `--missing` those that have no result yet. Results go to prove/results.json and to the table in
 * docs/proof.md; it ends with an error when a fault was not caught.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkMutants } from './mutations/check.ts';
import { type MutationFacts, withTable } from './mutations/page.ts';
import { MUTANTS } from './mutations/table.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = `${ROOT}prove/results.json`;
const PAGE = `${ROOT}docs/proof.md`;
const NAME = 'planted-faults';

const { values: flags } = parseArgs({
  options: { only: { type: 'string', multiple: true }, missing: { type: 'boolean' } },
});
const known = readResults()[NAME] ?? {};
const mutants = MUTANTS.filter(({ name }) => {
  if (flags.only !== undefined) return flags.only.includes(name);
  return !flags.missing || !(name in known);
});
if (mutants.length === 0) {
  console.error('There is no such fault, or none is missing.');
  process.exit(1);
}

const survived: string[] = [];
await checkMutants({
  root: ROOT,
  mutants,
  onVerdict: ({ name }, { caughtBy, seconds }) => {
    console.log(`${name} (${seconds} s): ${caughtBy ?? 'NOT CAUGHT'}`);
    if (caughtBy === undefined) survived.push(name);
    keep(name, caughtBy);
  },
});
console.log(`${mutants.length} faults planted, ${mutants.length - survived.length} caught`);
if (survived.length > 0) {
  console.error(`Not caught: ${survived.join(', ')}`);
  process.exit(1);
}

function readResults(): Record<string, MutationFacts> {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
}

/** After each fault, so that a run that was stopped can go on. A fault that was not caught has no result. */
function keep(name: string, caughtBy: string | undefined): void {
  const results = readResults();
  const before = results[NAME] ?? {};
  const caught: Record<string, string> = {};
  for (const mutant of MUTANTS) {
    const by = mutant.name === name ? caughtBy : before[mutant.name];
    if (by !== undefined) caught[mutant.name] = String(by);
  }
  results[NAME] = {
    at: new Date().toISOString(),
    planted: MUTANTS.length,
    caught: Object.keys(caught).length,
    ...caught,
  };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), results[NAME]));
}
