/** What the sessions of a schedule are to do: at first all of them at the same rows, then whatever chance says. */
import type { Chance } from './chance.ts';

export interface Meeting<Step> {
  /** What each session begins with. */
  readonly first: readonly (readonly Step[])[];
}

const FURTHER_STEPS = 2;

/** Each meeting has its turn, seed by seed. */
export function meetingOf<OfMeeting>(meetings: readonly OfMeeting[], seed: number, chance: Chance): OfMeeting {
  return meetings[seed % meetings.length] ?? chance.of(meetings);
}

/** One for each session: two or three. */
export function drawPrograms<Step>({ first }: Meeting<Step>, chance: Chance, draw: () => Step): Step[][] {
  return first.slice(0, 2 + chance.below(2)).map((steps) => [...steps, ...chance.times(FURTHER_STEPS, draw)]);
}
