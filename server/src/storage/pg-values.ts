/**
 * Lists as PostgreSQL reads them: `{a,b,NULL}`. The driver would quote and escape every element; nearly all of ours are
 * ids, numbers and words that need neither, and a batch has thousands of them.
 */
import type { SqlValue } from '../kernel/database.ts';

type Element = string | number | bigint | boolean | Date | Uint8Array | null;

/** Text that means itself inside of an array literal. The word NULL does not. */
const PLAIN = /^[A-Za-z0-9_:.+-]+$/;
const NULL_WORD = /^null$/i;
const NULL_LENGTH = 4;
const SPECIAL = /[\\"]/g;
/** Control characters and halves of pairs: JSON escapes them in a way of its own. */
const ESCAPED_BY_JSON_ONLY = /[^\x20-\ud7ff\ue000-\uffff]/;

/** What the driver gets: lists as one text, everything else as it is. */
export function pgValue(value: SqlValue): Exclude<SqlValue, readonly unknown[]> {
  return isList(value) ? arrayLiteral(value) : value;
}

function isList(value: SqlValue): value is readonly Element[] {
  return Array.isArray(value);
}

export function arrayLiteral(elements: readonly Element[]): string {
  return `{${elements.map(elementLiteral).join(',')}}`;
}

function elementLiteral(element: Element): string {
  if (element === null) return 'NULL';
  if (typeof element === 'string') return textLiteral(element);
  if (element instanceof Date) return `"${element.toISOString()}"`;
  if (element instanceof Uint8Array) return `"\\\\x${Buffer.from(element).toString('hex')}"`;
  return String(element);
}

function textLiteral(text: string): string {
  if (PLAIN.test(text) && !(text.length === NULL_LENGTH && NULL_WORD.test(text))) return text;
  // In all other texts JSON escapes just the same two characters, three times as fast; bodies in API logs are long.
  return ESCAPED_BY_JSON_ONLY.test(text) ? `"${text.replace(SPECIAL, '\\$&')}"` : JSON.stringify(text);
}
