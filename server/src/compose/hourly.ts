/**
 * What is done once an hour. The first time comes minutes after the start: a process that is started again more often
 * than every hour would never do it. Not at once, because a start has enough to do, and not at the same moment in all
 * processes that were started together, nor for all kinds of it.
 */
import { every } from './every.ts';

export type Hourly = (turn: () => Promise<unknown>, onFault: (fault: unknown) => void) => () => Promise<void>;

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

interface FirstTurn {
  readonly soonestMs: number;
  readonly latestMs: number;
}

const FIRST_TURN: FirstTurn = { soonestMs: MINUTE_MS, latestMs: 6 * MINUTE_MS };

export function soonThenHourly({ soonestMs, latestMs }: FirstTurn = FIRST_TURN): Hourly {
  return (turn, onFault) => every(HOUR_MS, turn, onFault, soonestMs + Math.random() * (latestMs - soonestMs));
}
