/** The clock jumps: by minutes, by an hour, by a day, while calls are under way or not. */
import type { Chance } from '../chance.ts';
import type { Happening } from '../stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function drawClockJumps(chance: Chance, { jumps, forMs }: { readonly jumps: number; readonly forMs: number }) {
  return Array.from({ length: jumps }, (_, number): Happening => {
    const own = chance.of(number);
    const byMs = own.pick([5 * MINUTE_MS, HOUR_MS, HOUR_MS, DAY_MS]);
    // As a machine that was put to sleep: its timers are overdue, and each runs once. Otherwise only the clock is
    // wrong.
    const isAsleep = own.percent(30);
    return {
      label: `clock jumps by ${byMs / MINUTE_MS} minutes${isAsleep ? ', asleep' : ''}`,
      atMs: own.below(forMs),
      start: ({ world }) => {
        world.counts.jumps += 1;
        if (isAsleep) world.time.pass(byMs);
        else world.time.jump(byMs);
        world.trace.add('clock', `jumps by ${byMs / MINUTE_MS} minutes${isAsleep ? ', asleep' : ''}`);
        world.hub.wakeAll('clock');
      },
    };
  });
}
