/**
 * Work that breaks on one row must not stop the others: when a batch fails by a fault that lies in what was worked on,
 * its rows are taken one by one for that turn, and a row that fails alone waits, is logged, and is tried again later.
 */
import { isTimeOut, MAX_TRIES_ALONE, mayRunAgain } from './batch.ts';
import { sqlState } from './database.ts';

/**
 * How long a row waits on which work broke: long enough to cost nothing, and short enough to go on soon when it is
 * mended.
 */
export const PUT_OFF_MS = 300_000;

export function putOffFrom(now: Date): Date {
  return new Date(now.getTime() + PUT_OFF_MS);
}

/**
 * Classes of SQLSTATE that tell of the server, the session or the program, whatever the row: connection, transaction
 * state (read-only), authorization, statements, resources, locks, intervention, system.
 */
const OF_ANY_ROW: ReadonlySet<string> = new Set(['08', '25', '28', '42', '53', '55', '57', '58']);

/**
 * A statement behind the one that failed was heard first: the fault itself, of the moment or of the row, is not known.
 */
const IN_FAILED_TRANSACTION = '25P02';

/** Whether a fault may lie in the row. Not when the database is away or the fault is one of the moment. */
export function isOfTheRow(fault: unknown): boolean {
  if (sqlState(fault) === IN_FAILED_TRANSACTION) return true;
  return !mayRunAgain(fault) && !OF_ANY_ROW.has(sqlState(fault)?.slice(0, 2) ?? '');
}

/** The same where work waits for other rows: one that somebody keeps holds up one, or one account. */
export function isOfOne(fault: unknown): boolean {
  return isOfTheRow(fault) || isTimeOut(fault);
}

/**
 * Work on one row. While its fault is not known it is run again: one of the moment goes by, and one of the row stays.
 */
export async function runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let triesLeft = MAX_TRIES_ALONE; ; triesLeft -= 1) {
    try {
      return await work();
    } catch (fault) {
      if (sqlState(fault) !== IN_FAILED_TRANSACTION || triesLeft === 1) throw fault;
    }
  }
}
