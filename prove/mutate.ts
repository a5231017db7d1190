/**
 * `npm run mutate`: plants known faults one by one and shows that the tests catch each. `--only NAME` plants one (and
 * may be repeated), `--missing` those that have no result on this version yet. Results go to prove/results.json, each
 * with its version, and to the table in docs/proof.md; it ends with an error when a fault was not caught.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkMutants } from './mutations/check.ts';
import { MUTANTS } from './mutations/table.ts';
import { writePage } from './page.ts';
import { type Caught, caughtIn, plantedResult } from './planted.ts';
import { readResults, writeResult } from './results.ts';
import { versionNow } from './version.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'planted-faults';

const { values: flags } = parseArgs({
  options: { only: { type: 'string', multiple: true }, missing: { type: 'boolean' } },
});
const version = versionNow();
const known = caughtIn(readResults()[NAME]);
const mutants = MUTANTS.filter(({ name }) => {
  if (flags.only !== undefined) return flags.only.includes(name);
  return !flags.missing || known.get(name)?.version !== version;
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
    keep(name, caughtBy === undefined ? undefined : { by: caughtBy, version });
  },
});
console.log(`${mutants.length} faults planted, ${mutants.length - survived.length} caught`);
if (survived.length > 0) {
  console.error(`Not caught: ${survived.join(', ')}`);
  process.exit(1);
}

/** After each fault, so that a run that was stopped can go on. A fault that was not caught has no result. */
function keep(name: string, caught: Caught | undefined): void {
  const before = caughtIn(readResults()[NAME]);
  const now = new Map<string, Caught>();
  for (const mutant of MUTANTS) {
    const known = mutant.name === name ? caught : before.get(mutant.name);
    if (known !== undefined) now.set(mutant.name, known);
  }
  writePage(writeResult(NAME, plantedResult(now, MUTANTS.length, new Date())));
}
