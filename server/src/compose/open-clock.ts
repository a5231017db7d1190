/**
 * The clock of the program: the system's, which must agree with the database's, and in the sandbox one that can be
 * moved. Its position is a row that all processes share; each reads it when it is told that the clock was moved, and
 * now and then by itself.
 */
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import type { Log } from '../kernel/log.ts';
import { type MovingClock, movingClock } from '../kernel/moving-clock.ts';
import type { Wake } from '../kernel/wake.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Settings } from '../settings/shape.ts';
import { clockPosition } from '../transactions/travel.ts';
import { watchClock } from './clock-watch.ts';
import { every } from './every.ts';

export interface OpenClock {
  readonly clock: Clock;
  /** Undefined in live mode, where nobody moves it. */
  readonly moving: MovingClock | undefined;
  /** Undefined while the clock can be worked by. */
  whyNot(): Promise<string | undefined>;
  close(): Promise<void>;
}

interface ClockParts {
  readonly db: Database;
  readonly wake: Wake;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'gauge'>;
  /** Another one in tests. */
  readonly system?: Clock;
}

const READ_EVERY_MS = 1_000;

export async function openClock(
  { mode, database }: Pick<Settings, 'mode' | 'database'>,
  { db, wake, log, metrics, system = systemClock }: ClockParts,
): Promise<OpenClock> {
  if (mode !== 'sandbox') {
    const watch = await watchClock({ db, clock: system, maxSkewMs: database.maxClockSkewMs, log, metrics });
    return { clock: system, moving: undefined, ...watch };
  }
  const moving = movingClock();
  moving.moveTo(await clockPosition(db));
  const turns = log.turnsOf('clock');
  const read = turns.follow(async () => {
    const position = await clockPosition(db);
    // Whoever moves it is ahead of the row for a moment; back it never goes.
    if (position.offsetMs >= moving.position.offsetMs) moving.moveTo(position);
  });
  const forget = wake.on('clock', () => void read().catch(turns.failed));
  const stopReading = every(READ_EVERY_MS, read, turns.failed);
  return {
    clock: moving,
    moving,
    // Its time is the row's, whatever the machine says.
    whyNot: async () => undefined,
    close: async () => {
      forget();
      await stopReading();
    },
  };
}
