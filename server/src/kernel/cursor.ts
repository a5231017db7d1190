/** Pages that begin behind one another, so that a page costs the same however far back it is. */
import { LAST_ID, LAST_TIME } from './after-all.ts';

/** Where a page ended: the time of its last row, and the id for rows of the same one. */
export interface Cursor {
  readonly at: Date;
  readonly id: string;
}

/** Where a list of the oldest begins, and where one of the newest does. */
export const BEFORE_ALL: Cursor = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };
export const AFTER_ALL: Cursor = { at: LAST_TIME, id: LAST_ID };

/** Null: a page that is not full is the last one. */
export function nextCursor<T>(page: readonly T[], limit: number, cursorOf: (row: T) => Cursor): Cursor | null {
  const last = page.at(-1);
  return last !== undefined && page.length === limit ? cursorOf(last) : null;
}
