/** Text and objects that callers send for us to keep: what may be stored, and how much of it. Open point OP-109. */
import { accepted, type Checked, type RefusalCode, refuse, refused } from './refusal.ts';

export const MAX_TEXT_CHARS = 255;
export const MAX_METADATA_BYTES = 16_384;
export const MAX_METADATA_DEPTH = 32;

/** Control characters other than tab and line breaks, and halves of surrogate pairs, which no encoding can carry. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;
const TABS_AND_LINE_BREAKS = /[\t\r\n]/g;
/**
 * A character that can be seen, or that is refused by its own rule: neither space, nor one that only shapes or joins
 * others, nor a filler, nor the Braille cell without dots. Of nearly all texts the first one is.
 */
const SHOWN = /[^\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Not given: missing, null, or text in which nothing is to be seen. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !SHOWN.test(value));
}

/** Why the value is not a text that can be kept; undefined when it is. */
export function faultOfText(value: unknown, maxChars: number = MAX_TEXT_CHARS): RefusalCode | undefined {
  if (typeof value !== 'string') return 'invalid';
  if (value.length > maxChars) return 'too_large';
  return UNSTORABLE.test(value.replace(TABS_AND_LINE_BREAKS, '')) ? 'invalid' : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id as we write it, in small letters; undefined when the value cannot be one of ours. */
export function readId(value: unknown): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}

/** What an empty object comes as from languages that have one kind of list for both, PHP above all. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Metadata: any JSON object within its bounds. Refuses with blank, invalid, too_large; callers add the path. */
export function checkMetadata(value: unknown): Checked<Readonly<Record<string, unknown>>> {
  if (isBlank(value)) return refused(refuse('blank'));
  if (isEmptyList(value)) return accepted({});
  if (!isObject(value)) return refused(refuse('invalid'));
  if (!isShallow(value)) return refused(refuse('too_large'));
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_METADATA_BYTES) return refused(refuse('too_large'));
  return accepted(value);
}

/** Level by level, not by recursion: the depth is the caller's. */
function isShallow(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; depth < MAX_METADATA_DEPTH; depth += 1) {
    level = level.flatMap((holder) =>
      Object.values(holder).filter((each): each is object => typeof each === 'object' && each !== null),
    );
    if (level.length === 0) return true;
  }
  return false;
}
