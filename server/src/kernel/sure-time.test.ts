import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { movingClock } from './moving-clock.ts';
import { sureTime } from './sure-time.ts';

const START_MS = Date.UTC(2026, 10, 15, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A machine whose clock can be set. */
function machine() {
  const at = { passedMs: 0, wrongMs: 0 };
  const clock: Clock = {
    now: () => new Date(START_MS + at.passedMs + at.wrongMs),
    elapsedMs: () => at.passedMs,
  };
  // Long enough ago.
  at.passedMs = -5 * MINUTE_MS;
  const sure = sureTime(clock, 5 * MINUTE_MS);
  at.passedMs = 0;
  sure();
  return { at, clock, sure };
}

const sinceStart = (time: Date) => time.getTime() - START_MS;

describe('what has surely passed', () => {
  it('is what the clock says while nobody sets it', () => {
    const { at, sure } = machine();
    for (const passedMs of [0, 1_000, DAY_MS]) {
      at.passedMs = passedMs;
      expect(sinceStart(sure())).toBe(passedMs);
    }
  });

  it('leaves out what a clock was put forward by, until that much time has passed in truth', () => {
    const { at, sure } = machine();
    at.wrongMs = DAY_MS;
    at.passedMs = 1_000;
    expect(sinceStart(sure())).toBe(1_000);
    at.passedMs += 5 * MINUTE_MS - 1;
    expect(sinceStart(sure())).toBe(at.passedMs);
    at.passedMs += 1;
    expect(sinceStart(sure())).toBe(at.passedMs + DAY_MS);
  });

  it('adds up what it was put forward by more than once', () => {
    const { at, sure } = machine();
    at.wrongMs = DAY_MS;
    sure();
    at.passedMs = MINUTE_MS;
    at.wrongMs += DAY_MS;
    expect(sinceStart(sure())).toBe(MINUTE_MS);
    at.passedMs = 5 * MINUTE_MS;
    expect(sinceStart(sure())).toBe(5 * MINUTE_MS + DAY_MS);
  });

  it('is never ahead of a clock that was put back', () => {
    const { at, clock, sure } = machine();
    at.passedMs = DAY_MS;
    sure();
    at.wrongMs = -MINUTE_MS;
    expect(sure()).toEqual(clock.now());
  });

  it('is nothing at the beginning: who knows to what the clock was set before', () => {
    const { at, clock } = machine();
    const sure = sureTime(clock, 5 * MINUTE_MS);
    at.passedMs = 5 * MINUTE_MS - 1;
    expect(sure().getTime()).toBe(0);
    at.passedMs += 1;
    expect(sure()).toEqual(clock.now());
  });

  it('is what the clock says from the beginning where nobody can set it', () => {
    const now = new Date(START_MS);
    expect(sureTime({ now: () => now }, 5 * MINUTE_MS)()).toEqual(now);
  });

  it('goes along where the sandbox moves its clock', () => {
    const { clock } = machine();
    const moving = movingClock(clock);
    const sure = sureTime(moving, 5 * MINUTE_MS);
    moving.moveTo({ offsetMs: DAY_MS, isTravelling: false });
    expect(sinceStart(sure())).toBe(DAY_MS);
  });
});
