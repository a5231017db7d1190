/** What `npm run simulate` is asked to do. */
import { availableParallelism } from 'node:os';
import { seedsFrom } from './seed-ranges.ts';

export interface SimulateOptions {
  /** Fresh ones when not given. */
  readonly seeds: readonly number[] | undefined;
  readonly minutes: number | undefined;
  readonly writesResults: boolean;
  readonly showsTrace: boolean;
  readonly isMonth: boolean;
  /** Goes on with what the results file has not yet. */
  readonly resumes: boolean;
  /** Each seed once more, to see that its course of events is the same. */
  readonly isTwice: boolean;
  /** So many processes at once. */
  readonly jobs: number;
}

export const USAGE = `npm run simulate -- [options]

  --seed N        one seed, with its trace
  --seeds A..B    all seeds from A to B
  --minutes M     fresh seeds for so many minutes
  --month         one simulated month of a busy tenant: 60 transactions a day
  --results       write simulate/results.json, from time to time and at the end
  --resume        the same, and go on with the seeds that no version in it has run; with --minutes from seed 1 on
  --twice         each seed once more, to compare the hashes; not with --results or --resume
  --jobs N        so many processes at once; otherwise one for each core

Without options: the fixed seeds and those that once found something.`;

/** Undefined: the options cannot be read. */
export function readOptions(words: readonly string[]): SimulateOptions | undefined {
  let seeds: readonly number[] | undefined;
  let minutes: number | undefined;
  let writesResults = false;
  let showsTrace = false;
  let isMonth = false;
  let resumes = false;
  let isTwice = false;
  let jobs = availableParallelism();
  for (let place = 0; place < words.length; place += 1) {
    const [word, written] = [words[place], words[place + 1] ?? ''];
    if (word === '--results') writesResults = true;
    else if (word === '--resume') [resumes, writesResults] = [true, true];
    else if (word === '--month') isMonth = true;
    else if (word === '--twice') isTwice = true;
    else if (word === '--jobs' && /^[1-9][0-9]?$/.test(written)) [jobs, place] = [Number(written), place + 1];
    else if (word === '--seed' && isSeed(written)) [seeds, showsTrace, place] = [[Number(written)], true, place + 1];
    else if (word === '--seeds' && rangeOf(written)) [seeds, place] = [rangeOf(written), place + 1];
    else if (word === '--minutes' && Number(written) > 0) [minutes, place] = [Number(written), place + 1];
    else return undefined;
  }
  // What is written down counts each seed once.
  if (isTwice && writesResults) return undefined;
  return { seeds, minutes, writesResults, showsTrace, isMonth, resumes, isTwice, jobs };
}

const MAX_SEEDS = 1_000_000;

function isSeed(written: string): boolean {
  return /^[0-9]{1,15}$/.test(written);
}

function rangeOf(written: string): number[] | undefined {
  const [, first, last] = /^([0-9]{1,15})\.\.([0-9]{1,15})$/.exec(written) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const count = Number(last) - Number(first) + 1;
  return count < 1 || count > MAX_SEEDS ? undefined : seedsFrom(Number(first), Number(last));
}
