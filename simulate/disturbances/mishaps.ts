/** What strikes a process at one of its next moments: its connection breaks, a deadlock is ended, or it crashes. */
import type { Chance } from '../chance.ts';
import type { ArmedMishap } from '../process.ts';
import type { Happening } from '../stage.ts';

export interface MishapShape {
  readonly faults: number;
  readonly crashes: number;
  readonly forMs: number;
}

type Kind = Pick<ArmedMishap, 'what' | 'at'>;

/** Nothing was stored; everything was stored and only the answer got lost; the server ended it; nothing was begun. */
const FAULTS: readonly Kind[] = [
  { what: 'lost', at: 'statement' },
  { what: 'lost', at: 'locking' },
  { what: 'lost', at: 'commit' },
  { what: 'lost', at: 'committed' },
  { what: 'lost', at: 'committed' },
  { what: 'deadlock', at: 'locking' },
];

const CRASHES: readonly Kind[] = [
  { what: 'crash', at: 'statement' },
  { what: 'crash', at: 'locking' },
  { what: 'crash', at: 'commit' },
  { what: 'crash', at: 'committed' },
  { what: 'crash', at: 'call' },
  { what: 'crash', at: 'called' },
];

/** So many moments may pass before it strikes: enough to reach every part of an operation. */
const MOST_COUNTDOWN = 25;
/** Faults come in bursts: while one is being dealt with, the next one comes. */
const MOST_IN_A_ROW = 4;

export function drawMishaps(chance: Chance, { faults, crashes, forMs }: MishapShape): Happening[] {
  const draw = (kinds: readonly Kind[], number: number, name: string): Happening => {
    const own = chance.of(`${name} ${number}`);
    const { what, at } = own.pick(kinds);
    const times = what === 'crash' ? 1 : own.between(1, MOST_IN_A_ROW);
    const armed = Array.from({ length: times }, (_, place) => own.below(place === 0 ? MOST_COUNTDOWN : 2));
    const turn = own.below(1_000);
    return {
      label: `${what} at ${at} (${armed.join(', ')})`,
      atMs: own.below(forMs),
      start: ({ world }) => {
        const { process } = world.running[turn % Math.max(1, world.running.length)] ?? {};
        let before = 0;
        for (const countdown of armed) {
          before += countdown;
          process?.arm({ what, at, countdown: before });
        }
      },
    };
  };
  return [
    ...Array.from({ length: faults }, (_, number) => draw(FAULTS, number, 'fault')),
    ...Array.from({ length: crashes }, (_, number) => draw(CRASHES, number, 'crash')),
  ];
}
