/** A clock that is ahead of the real one by as much as it was told. */
import { expect, it } from 'vitest';
import { manualClock, NOON } from '../../../test/support/manual-clock.ts';
import { movingClock } from './moving-clock.ts';

it('shows the time of its base until it is moved, and then goes on from there', () => {
  const base = manualClock(NOON);
  const clock = movingClock(base);
  expect([clock.now(), clock.position]).toEqual([NOON, { offsetMs: 0, isTravelling: false }]);
  clock.moveTo({ offsetMs: 3_600_000, isTravelling: true });
  expect(clock.now().getTime()).toBe(NOON.getTime() + 3_600_000);
  base.advance(5);
  expect(clock.now().getTime()).toBe(NOON.getTime() + 3_600_005);
  expect(clock.position).toEqual({ offsetMs: 3_600_000, isTravelling: true });
});
