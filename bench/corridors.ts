/**
 * Measures, by hand: how long the catalogue takes to load and one recipient to be checked.
 * `npx tsx bench/corridors.ts`
 */
import { loadCatalogue } from '../server/src/corridors/catalogue.ts';
import { checkDetails } from '../server/src/corridors/check-details.ts';
import { exampleFor } from '../server/src/corridors/example.ts';

const ROUNDS = 2_000;
/** Over all corridors before any is timed, or the first one pays for the others. */
const WARM_UP_ROUNDS = 500;

const startedAtMs = performance.now();
const catalogue = loadCatalogue();
const loadedMs = performance.now() - startedAtMs;

const samples = catalogue
  .payouts()
  .filter(({ kind }) => kind !== 'balance')
  .flatMap((corridor) => corridor.recipientTypes.map((recipientType) => ({ corridor, recipientType })))
  .map((sample) => ({ ...sample, details: exampleFor(sample.corridor, sample.recipientType, { optional: true }) }));

function run({ corridor, recipientType, details }: (typeof samples)[number], rounds: number): number {
  const fromMs = performance.now();
  for (let round = 0; round < rounds; round += 1) checkDetails(corridor, recipientType, details);
  return ((performance.now() - fromMs) * 1_000) / rounds;
}

for (const sample of samples) run(sample, WARM_UP_ROUNDS);
const rows = samples
  .map((sample) => ({ name: `${sample.corridor.type} ${sample.recipientType}`, micros: run(sample, ROUNDS) }))
  .sort((left, right) => right.micros - left.micros);

const mean = rows.reduce((sum, { micros }) => sum + micros, 0) / rows.length;
const lines = rows.slice(0, 5).map(({ name, micros }) => `  ${name}: ${micros.toFixed(1)} µs`);
process.stdout.write(
  `${[
    `load and check of all files: ${loadedMs.toFixed(0)} ms`,
    `one recipient, all fields filled in, mean of ${rows.length}: ${mean.toFixed(1)} µs; slowest:`,
    ...lines,
  ].join('\n')}\n`,
);
