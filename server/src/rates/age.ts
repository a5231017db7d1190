/** How old a rate is: too old to be used, or of a time that has not come yet. */
/** How far the clocks of whoever writes rates and of our processes may differ. */
export const MAX_RATE_AHEAD_MINUTES = 5;
export const MAX_RATE_AHEAD_MS = MAX_RATE_AHEAD_MINUTES * 60_000;

/** A time that has not come yet. Believed, it would win over every right rate until it comes. */
export function isAhead(asOf: Date, now: Date): boolean {
  return asOf.getTime() - now.getTime() > MAX_RATE_AHEAD_MS;
}

/** The age from which a rate is no longer used where money is real. One from the future tells nothing of its age. */
export function isStale(asOf: Date, now: Date, staleAfterMs: number): boolean {
  return isAhead(asOf, now) || now.getTime() - asOf.getTime() >= staleAfterMs;
}
