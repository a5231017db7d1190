/**
 * The time up to which something has surely ended that was begun at a given time of the clock. Clocks are set: one that
 * was a day behind and is put right makes an order of a second ago look like one of yesterday. So a clock is held
 * against the time that has passed, and what it gained beyond that is not counted until as much time has really passed
 * as anybody waits for. A clock that was put back only makes everybody wait longer. What happened to it before the
 * process began is not known: nothing is sure until as much time has passed since.
 */
import type { Clock } from './clock.ts';

/** Every clock is put right a little all the time; that need not be kept. */
const TOO_LITTLE_MS = 100;

const NEVER_YET = new Date(0);

/** `waitMs`: the longest that somebody counts on having passed. */
export function sureTime(clock: Clock, waitMs: number): () => Date {
  const elapsedMs = () => clock.elapsedMs?.() ?? clock.now().getTime();
  const sureFromMs = clock.elapsedMs ? elapsedMs() + waitMs : Number.NEGATIVE_INFINITY;
  let seen = { nowMs: clock.now().getTime(), elapsedMs: elapsedMs() };
  let gains: readonly { readonly byMs: number; readonly atMs: number }[] = [];
  return () => {
    const now = { nowMs: clock.now().getTime(), elapsedMs: elapsedMs() };
    const byMs = now.nowMs - seen.nowMs - (now.elapsedMs - seen.elapsedMs);
    seen = now;
    const kept = gains.filter(({ atMs }) => now.elapsedMs - atMs < waitMs);
    gains = byMs > TOO_LITTLE_MS ? [...kept, { byMs, atMs: now.elapsedMs }] : kept;
    if (now.elapsedMs < sureFromMs) return NEVER_YET;
    return new Date(now.nowMs - gains.reduce((sum, gain) => sum + gain.byMs, 0));
  };
}
