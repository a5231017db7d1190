/** The clock of the sandbox: the real time, and a distance that it is ahead. It stands in for the system clock. */
import { type Clock, systemClock } from './clock.ts';

export interface ClockPosition {
  readonly offsetMs: number;
  /** Somebody is moving it from due time to due time. */
  readonly isTravelling: boolean;
}

export interface MovingClock extends Clock {
  readonly position: ClockPosition;
  moveTo(position: ClockPosition): void;
}

export function movingClock(base: Clock = systemClock): MovingClock {
  let position: ClockPosition = { offsetMs: 0, isTravelling: false };
  return {
    // Whoever moves it means what lies between to have passed.
    elapsedMs: () => (base.elapsedMs?.() ?? base.now().getTime()) + position.offsetMs,
    now: () => (position.offsetMs === 0 ? base.now() : new Date(base.now().getTime() + position.offsetMs)),
    get position() {
      return position;
    },
    moveTo(next) {
      position = next;
    },
  };
}
