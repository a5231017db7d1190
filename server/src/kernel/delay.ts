/**
 * Delays before something is tried or asked again. No chance in here: the jitter comes from an id, so that the same
 * attempt always gets the same time.
 */

/** Spread over a tenth of the delay, so that what began or failed together does not come back together. */
const JITTER = 0.1;
const JITTER_DIGITS = 8;
/** Doubling stops here, long after the longest time is reached. */
const MOST_DOUBLINGS = 30;

/** `times`: how often the first delay is doubled; the longest one is never shorter than the first. */
export function doubledMs(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(Math.max(times, 0), MOST_DOUBLINGS), Math.max(firstMs, longestMs));
}

export function later(now: Date, delayMs: number, id: string): Date {
  const share = Number.parseInt(id.slice(-JITTER_DIGITS), 16) / 16 ** JITTER_DIGITS;
  return new Date(now.getTime() + Math.round(delayMs * (1 + JITTER * share)));
}
