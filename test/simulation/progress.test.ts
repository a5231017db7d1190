/** The progress bar of long runs: by time, by seeds, or by whichever ends the run sooner. */
import { expect, it } from 'vitest';
import { progressBar } from '../../simulate/progress.ts';

const HOUR_MS = 3_600_000;

it.each([
  [
    'of an hour after a quarter of it',
    { forMs: HOUR_MS, seeds: undefined },
    HOUR_MS / 4,
    50,
    /^\[#{7}\.{23}\] 25 %, 45 min left$/,
  ],
  ['of ten seeds after nine', { forMs: undefined, seeds: 10 }, 9 * 60_000, 9, /^\[#{27}\.{3}\] 90 %, 1 min left$/],
  ['that ends by its seeds before its hour', { forMs: HOUR_MS, seeds: 10 }, HOUR_MS / 6, 5, /50 %, 10 min left$/],
  ['that has not begun', { forMs: undefined, seeds: 10 }, 0, 0, /^\[\.{30}\] 0 %$/],
  ['beyond its time', { forMs: HOUR_MS, seeds: undefined }, 2 * HOUR_MS, 99, /^\[#{30}\] 100 %, 0 min left$/],
  ['without an end', { forMs: undefined, seeds: undefined }, HOUR_MS, 99, /^$/],
])('a run %s', (_, end, ranMs, done, shown) => {
  expect(progressBar(end, ranMs, done)).toMatch(shown);
});
