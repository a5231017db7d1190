/** Which answer a fault gives. A fault is never dressed as a refusal: nothing here answers 422. */
import { mayRunAgain, OutcomeUnknown, Overloaded } from '../kernel/batch.ts';
import { CommitUnknown } from '../kernel/database.ts';
import type { ProblemName } from './problem.ts';

/** The HTTP layer's own codes, for what it finds wrong before a handler runs. */
const BY_CODE: ReadonlyMap<unknown, ProblemName> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'not_json_type'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'unreadable'],
  ['FST_ERR_BAD_URL', 'unreadable'],
  // No id is that long, so there is nothing under it.
  ['FST_ERR_MAX_PARAM_LENGTH', 'not_found'],
]);

export function faultProblem(fault: unknown): ProblemName {
  if (fault instanceof OutcomeUnknown || fault instanceof CommitUnknown) return 'outcome_unknown';
  if (fault instanceof Overloaded) return 'unavailable';
  // Deadlocks, time after time: nothing was done, and later it may work.
  if (mayRunAgain(fault)) return 'unavailable';
  if (!(fault instanceof Error)) return 'internal';
  return ('code' in fault ? BY_CODE.get(fault.code) : undefined) ?? 'internal';
}
