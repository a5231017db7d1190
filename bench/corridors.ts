/** Measures how long the catalogue takes to load and one recipient, with all fields filled in, to be checked. */
import { loadCatalogue } from '../server/src/corridors/catalogue.ts';
import { checkDetails } from '../server/src/corridors/check-details.ts';
import type { Details, PayoutCorridor, RecipientType } from '../server/src/corridors/corridor.ts';
import { exampleFor } from '../server/src/corridors/example.ts';
import { present } from '../server/src/kernel/assert.ts';

export interface CorridorFigures {
  /** The first load in this process: reading and checking every file. */
  readonly loadMs: number;
  /** Over all types and types of recipient. */
  readonly meanMicros: number;
  /** `KES::Bank person`. */
  readonly slowest: string;
  readonly slowestMicros: number;
}

interface Sample {
  readonly corridor: PayoutCorridor;
  readonly recipientType: RecipientType;
  readonly details: Details;
}

const ROUNDS = 2_000;
/** Over all corridors before any is timed, or the first one pays for the others. */
const WARM_UP_ROUNDS = 500;

export function measureCorridors(): CorridorFigures {
  const startedAtMs = performance.now();
  const catalogue = loadCatalogue();
  const loadMs = performance.now() - startedAtMs;
  const samples = catalogue
    .payouts()
    .filter(({ kind }) => kind !== 'balance')
    .flatMap((corridor) => corridor.recipientTypes.map((recipientType) => ({ corridor, recipientType })))
    .map((sample) => ({ ...sample, details: exampleFor(sample.corridor, sample.recipientType, { optional: true }) }));
  for (const sample of samples) measureOne(sample, WARM_UP_ROUNDS);
  const rows = samples
    .map((sample) => ({
      name: `${sample.corridor.type} ${sample.recipientType}`,
      micros: measureOne(sample, ROUNDS),
    }))
    .sort((left, right) => right.micros - left.micros);
  const slowest = present(rows[0], 'a corridor');
  const meanMicros = rows.reduce((sum, { micros }) => sum + micros, 0) / rows.length;
  return { loadMs, meanMicros, slowest: slowest.name, slowestMicros: slowest.micros };
}

function measureOne({ corridor, recipientType, details }: Sample, rounds: number): number {
  const fromMs = performance.now();
  for (let round = 0; round < rounds; round += 1) checkDetails(corridor, recipientType, details);
  return ((performance.now() - fromMs) * 1_000) / rounds;
}
