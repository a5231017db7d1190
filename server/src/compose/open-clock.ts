/**
 * The clock of the program: the system's, and in the sandbox one that can be moved. Its position is a row that all
 * processes share; each reads it when it is told that the clock was moved, and now and then by itself.
 */
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import { type MovingClock, movingClock } from '../kernel/moving-clock.ts';
import type { Wake } from '../kernel/wake.ts';
import type { Settings } from '../settings/shape.ts';
import { clockPosition } from '../transactions/travel.ts';
import { every } from './every.ts';

export interface OpenClock {
  readonly clock: Clock;
  /** Undefined in live mode, where nobody moves it. */
  readonly moving: MovingClock | undefined;
  close(): Promise<void>;
}

const READ_EVERY_MS = 1_000;

export async function openClock(
  { mode }: Pick<Settings, 'mode'>,
  { db, wake, onFault }: { db: Database; wake: Wake; onFault: (fault: unknown) => void },
): Promise<OpenClock> {
  if (mode !== 'sandbox') return { clock: systemClock, moving: undefined, close: async () => undefined };
  const moving = movingClock();
  moving.moveTo(await clockPosition(db));
  const read = async () => {
    const position = await clockPosition(db);
    // Whoever moves it is ahead of the row for a moment; back it never goes.
    if (position.offsetMs >= moving.position.offsetMs) moving.moveTo(position);
  };
  const forget = wake.on('clock', () => void read().catch(onFault));
  const stopReading = every(READ_EVERY_MS, read, onFault);
  return {
    clock: moving,
    moving,
    close: async () => {
      forget();
      await stopReading();
    },
  };
}
