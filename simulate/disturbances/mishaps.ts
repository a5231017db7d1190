/**
 * What strikes a process at one of its next moments: its connection breaks, a deadlock is ended, it crashes, or it
 * falls asleep, as on a machine that is paused or swaps, while all others go on.
 */
import type { Chance } from '../chance.ts';
import type { ArmedMishap, DeadlyStart } from '../process.ts';
import type { Happening } from '../stage.ts';

interface MishapShape {
  readonly faults: number;
  readonly crashes: number;
  readonly sleeps: number;
  /** Crashes of the next process that starts. */
  readonly starts: number;
  readonly forMs: number;
}

interface Kind extends Pick<ArmedMishap, 'what' | 'at'> {
  /** So many moments may pass before it strikes, where they are seldom. */
  readonly within?: number;
}

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

/**
 * With what it has heard in its hands: a commit, or an answer. Not before a call: between the last look at its lease
 * and the first byte that it sends nothing can help a process.
 */
const SLEEPS: readonly Kind[] = [
  { what: 'sleep', at: 'committed' },
  { what: 'sleep', at: 'called' },
  { what: 'sleep', at: 'refused', within: 3 },
  { what: 'sleep', at: 'refused', within: 3 },
];

/**
 * Where a start can be caught, and about so many moments of each kind it has; its workers may call before it is over.
 */
const START_MOMENTS: readonly [at: DeadlyStart['at'], most: number][] = [
  ['statement', 14],
  ['locking', 5],
  ['commit', 11],
  ['committed', 11],
  ['call', 2],
  ['called', 2],
];

const MINUTE_MS = 60_000;
/** Within a lease, and beyond it. */
const SLEEPS_MS = [MINUTE_MS, 4 * MINUTE_MS, 12 * MINUTE_MS];

/** So many moments may pass before it strikes: enough to reach every part of an operation. */
const MOST_COUNTDOWN = 25;
/** Faults come in bursts: while one is being dealt with, the next one comes. */
const MOST_IN_A_ROW = 4;

export function drawMishaps(chance: Chance, { faults, crashes, sleeps, starts, forMs }: MishapShape): Happening[] {
  const draw = (kinds: readonly Kind[], number: number, name: string): Happening => {
    const own = chance.of(`${name} ${number}`);
    const { what, at, within = MOST_COUNTDOWN } = own.pick(kinds);
    const times = what === 'lost' || what === 'deadlock' ? own.between(1, MOST_IN_A_ROW) : 1;
    const armed = Array.from({ length: times }, (_, place) => own.below(place === 0 ? within : 2));
    const turn = own.below(1_000);
    const rest = what === 'sleep' ? { forMs: own.pick(SLEEPS_MS) } : {};
    return {
      label: `${what} at ${at} (${armed.join(', ')})`,
      atMs: own.below(forMs),
      start: ({ world }) => {
        const { process } = world.running[turn % Math.max(1, world.running.length)] ?? {};
        let before = 0;
        for (const countdown of armed) {
          before += countdown;
          process?.arm({ what, at, countdown: before, ...rest });
        }
      },
    };
  };
  return [
    ...Array.from({ length: faults }, (_, number) => draw(FAULTS, number, 'fault')),
    ...Array.from({ length: crashes }, (_, number) => draw(CRASHES, number, 'crash')),
    ...Array.from({ length: sleeps }, (_, number) => draw(SLEEPS, number, 'sleep')),
    ...Array.from({ length: starts }, (_, number): Happening => {
      const own = chance.of(`start ${number}`);
      const deadly = drawDeadlyStart(own);
      return {
        label: `the next start dies at ${deadly.at} (${deadly.countdown})`,
        atMs: own.below(forMs),
        start: ({ world }) => world.deadlyStarts.push(deadly),
      };
    }),
  ];
}

export function drawDeadlyStart(chance: Chance): DeadlyStart {
  const [at, most] = chance.pick(START_MOMENTS);
  return { at, countdown: chance.below(most) };
}
