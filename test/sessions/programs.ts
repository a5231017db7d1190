/** What the sessions of a schedule are to do: at first all of them at the same rows, then whatever chance says. */
import type { Chance } from './chance.ts';
import { drawStep, type Step } from './steps.ts';

interface Meeting {
  /** Whether there is money to be paid out. */
  readonly isFunded: boolean;
  /** The first step of each session. */
  readonly first: readonly [Step, Step, Step];
}

/** Where sessions meet most: one balance, one due transaction, one delivery, one recipient, one external id, one sender. */
const MEETINGS: readonly Meeting[] = [
  {
    isFunded: false,
    first: [
      { do: 'fund', places: [0] },
      { do: 'fund', places: [1] },
      { do: 'fund', places: [2, 0] },
    ],
  },
  {
    isFunded: false,
    first: [
      { do: 'fund', places: [0], nonce: 'the same' },
      { do: 'fund', places: [0], nonce: 'the same' },
      { do: 'cancel', places: [0] },
    ],
  },
  { isFunded: true, first: [{ do: 'work' }, { do: 'work' }, { do: 'deliver' }] },
  { isFunded: true, first: [{ do: 'deliver' }, { do: 'deliver' }, { do: 'work' }] },
  { isFunded: true, first: [{ do: 'work' }, { do: 'cancel', places: [0, 1] }, { do: 'edit', places: [1, 0] }] },
  {
    isFunded: false,
    first: [
      { do: 'create', externalIds: ['one', 'two'], isFunded: true, city: 'Leeds' },
      { do: 'create', externalIds: ['two', 'one'], isFunded: true, city: 'York' },
      { do: 'sender', city: 'Bath' },
    ],
  },
  {
    isFunded: false,
    first: [
      { do: 'terms' },
      { do: 'create', externalIds: ['one'], isFunded: true },
      { do: 'create', externalIds: ['two'], isFunded: true, city: 'York' },
    ],
  },
];
const FURTHER_STEPS = 2;

export interface Plan {
  readonly isFunded: boolean;
  /** One for each session: two or three. */
  readonly programs: readonly (readonly Step[])[];
}

/** Each meeting has its turn, seed by seed. */
export function drawPlan(seed: number, chance: Chance, kinds: readonly Step['do'][]): Plan {
  const meeting = MEETINGS[seed % MEETINGS.length] ?? chance.of(MEETINGS);
  const { isFunded, first } = meeting;
  const programs = first
    .slice(0, 2 + chance.below(2))
    .map((step) => [step, ...chance.times(FURTHER_STEPS, () => drawStep(chance, kinds))]);
  return { isFunded, programs };
}
