/** A clock that stands still until a test moves it, so that a boundary can be met to the millisecond. */
import type { Clock } from '../../server/src/kernel/clock.ts';

/** Shortly after the time of the sample rates. */
export const NOON = new Date('2026-11-15T12:00:00.000Z');

export interface ManualClock extends Clock {
  set(at: Date): void;
  advance(byMs: number): void;
}

export function manualClock(start: Date): ManualClock {
  let nowMs = start.getTime();
  return {
    // A new object each time: nobody can move the clock by changing what it gave.
    now: () => new Date(nowMs),
    set: (at) => {
      nowMs = at.getTime();
    },
    advance: (byMs) => {
      nowMs += byMs;
    },
  };
}
