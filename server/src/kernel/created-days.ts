/** The days by which callers narrow their lists, as the times that rows are compared with. */
import { LAST_TIME } from './after-all.ts';

/** Days, YYYY-MM-DD in UTC, both of them included. */
export interface CreatedDays {
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

/**
 * From the one on and before the other. Always two times, also where nothing bounds the list: a plan that is kept for
 * all values finds a time in the index, but reads everything for the sake of a bound that may be missing.
 */
interface CreatedSpan {
  readonly from: Date;
  readonly before: Date;
}

const DAY_MS = 86_400_000;
const BEFORE_ALL = new Date(0);

export function spanOf({ createdAtFrom, createdAtTo }: CreatedDays): CreatedSpan {
  return {
    from: createdAtFrom === undefined ? BEFORE_ALL : startOf(createdAtFrom),
    before: createdAtTo === undefined ? LAST_TIME : new Date(startOf(createdAtTo).getTime() + DAY_MS),
  };
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
