/** What a recipient waits for, on a terminal: the word and the sentence. */
import { at, type Json, textAt } from './json.ts';

/** Nothing for one that is at its end. */
export function waitOf(recipient: Json): string {
  const wait = at(recipient, 'waits_for');
  return wait === null || wait === undefined ? '' : `${textAt(wait, 'what')}: ${textAt(wait, 'says')}`;
}
