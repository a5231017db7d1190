/** Time is an argument. Code asks the clock in its context, so that a test can run a day in a millisecond. */
export interface Clock {
  now(): Date;
  /** Milliseconds that have passed since whenever, whatever the clock was set to meanwhile. Without: nobody sets it. */
  elapsedMs?(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
};
