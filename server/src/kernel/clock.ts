/** Time is an argument. Code asks the clock in its context, so that a test can run a day in a millisecond. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = {
  now: () => new Date(),
};
