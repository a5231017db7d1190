/** Moves the clock of a sandbox, past the times of payouts and of deliveries. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { assert } from '../kernel/assert.ts';
import type { MovingClock } from '../kernel/moving-clock.ts';
import { travel } from '../transactions/travel.ts';
import { isDelivering, nextDeliveryAt } from '../webhooks/due.ts';

/**
 * One journey at a time: two that overlap would step over what the other waits for. It ends in half of the time that a
 * call may take, so that the caller hears how far it came, and gives what is left of the way.
 */
export function travelBy(ctx: Context, clock: MovingClock | undefined): (byMs: number) => Promise<number> {
  let last: Promise<unknown> = Promise.resolve();
  return (byMs) => {
    assert(clock !== undefined, 'only the clock of a sandbox is moved');
    const pause = (delayMs: number) => sleep(delayMs);
    const deliveries = {
      nextAt: () => nextDeliveryAt(ctx.db, clock.now()),
      isUnderWay: () => isDelivering(ctx.db, clock.now()),
    };
    const endMs = performance.now() + ctx.settings.http.requestTimeoutMs / 2;
    const hasTime = () => performance.now() < endMs;
    const journey = last.then(() => travel({ ctx, clock, otherAgendas: [deliveries], pause, hasTime }, byMs));
    last = journey.catch(() => undefined);
    return journey;
  };
}
