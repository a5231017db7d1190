/**
 * What of a call may be kept: bodies of a bounded length without the files in them, and headers without credentials. A
 * file that is uploaded is somebody's passport, and a signature is good for one call more if its nonce is ever
 * forgotten.
 */
import { isUtf8 } from 'node:buffer';
import { FILE_FIELD, FILE_MARK } from '../kernel/file-text.ts';
import { type HeaderMap, MAX_BODY_CHARS } from './api-log.ts';

const MASKED = '[masked]';
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization-signature',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

/** A file in a text: `data:`, at most so many characters without comma and quote, this mark, and all up to a quote. */
const EACH_MARK = new RegExp(FILE_MARK, 'gi');
const FILE_SCHEME = /data:/i;
const MAX_MEDIA_TYPE_CHARS = 200;
const FILE_IN_TEXT = /("upload"\s{0,10}:\s{0,10}")[^"\\]*(?:\\.[^"\\]*)*/gi;
/** Several of them, or one with something around it; not the words in which a refusal is told of that field. */
const FILES_IN_TEXT = /("upload"\s{0,10}:\s{0,10}[[{])(?!(?:"\w{0,40}",?){0,20}\])[^\]}]*/gi;
/**
 * Signs of a file, and of an escape that could hide one: the ends of `base64` and `"upload"`, for which a text is gone
 * through in a fifth of the time that the whole words take.
 */
const MAY_HOLD_FILE = /[sS][eE]64|[lL][oO][aA][dD]"|\\u/;
/** In an answer, which we have written ourselves: without escapes for such letters. */
const MAY_SHOW_FILE = /[sS][eE]64|[lL][oO][aA][dD]"/;
const PIECE_GROWS_BY = 8;
/** The database has no such character in texts. */
const NUL = '\u0000';
const REPLACEMENT = '\ufffd';

const JSON_TYPE = /^application\/json\b/i;
const BEGINS_LIKE_JSON = /^\s*[[{"]/;

/** The body of a request: its bytes, and what they were read as; undefined where they were not JSON, or not read. */
export function keepRequestBody(bytes: Uint8Array | null, read: unknown, type = 'application/json'): string {
  if (bytes === null || bytes.length === 0) return '';
  if (read === undefined && mayBeFile(bytes, type)) return `[${bytes.length} bytes left out]`;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_BODY_CHARS)).toString('utf8');
  const isWhole = bytes.length <= MAX_BODY_CHARS;
  if (isWhole && !MAY_HOLD_FILE.test(start)) return withoutNul(start);
  // Only the value shows a file for sure: its text may be written with escapes, or its name lie before the cut.
  if (read !== undefined) return cut(JSON.stringify(read, withoutFile));
  return withoutNul(withoutFiles(start)) + (isWhole ? '' : cutMark(bytes.length, 'bytes'));
}

/** A form with a file in it, or nothing but the file: an upload as other services take it. */
function mayBeFile(bytes: Uint8Array, type: string): boolean {
  if (!isUtf8(bytes)) return true;
  return !JSON_TYPE.test(type) && !BEGINS_LIKE_JSON.test(Buffer.from(bytes.subarray(0, 100)).toString('utf8'));
}

/** The body of an answer. Answers hold no files, unless one shows a refused request again. */
export function keepAnswerBody(payload: unknown): string {
  if (typeof payload === 'string') return keepAnswerText(payload);
  return payload instanceof Uint8Array ? keepRequestBody(payload, undefined) : '';
}

/**
 * A list may have megabytes, of which the start is kept: no more of it is looked at. What is left out of a file makes
 * room for what comes after it, so that more is looked at only where there are files. Whatever lies before the end of a
 * piece is masked as in the whole: what shows a file stands before it.
 */
function keepAnswerText(text: string): string {
  for (let end = MAX_BODY_CHARS + 1; ; end *= PIECE_GROWS_BY) {
    const piece = text.slice(0, end);
    const kept = MAY_SHOW_FILE.test(piece) ? withoutFiles(piece) : piece;
    if (end >= text.length || kept.length > MAX_BODY_CHARS) return cut(kept, text.length);
  }
}

/** Names and values alternate in the list. A doubled header has its values in their order. */
export function keepRequestHeaders(rawHeaders: readonly string[]): HeaderMap {
  const kept: Record<string, string> = {};
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const { shown, isSecret } = headerOf(rawHeaders[at] ?? '');
    const value = isSecret ? MASKED : (rawHeaders[at + 1] ?? '');
    kept[shown] = kept[shown] === undefined ? value : `${kept[shown]}, ${value}`;
  }
  return kept;
}

interface KnownHeader {
  readonly shown: string;
  readonly isSecret: boolean;
}

/** Callers send the same few headers again and again. */
const knownHeaders = new Map<string, KnownHeader>();
const MAX_KNOWN_HEADERS = 500;

function headerOf(name: string): KnownHeader {
  const known = knownHeaders.get(name);
  if (known !== undefined) return known;
  const shown = `HTTP_${name.toUpperCase().replaceAll('-', '_')}`;
  const header = { shown, isSecret: CREDENTIALS.has(name.toLowerCase()) };
  if (knownHeaders.size >= MAX_KNOWN_HEADERS) knownHeaders.clear();
  knownHeaders.set(name, header);
  return header;
}

export function keepAnswerHeaders(headers: object): HeaderMap {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) kept[name] = CREDENTIALS.has(name) ? MASKED : String(value);
  return kept;
}

function withoutFile(name: string, value: unknown): unknown {
  if (name === FILE_FIELD && typeof value === 'object' && value !== null) return leftOut(JSON.stringify(value));
  if (typeof value !== 'string') return value;
  return name === FILE_FIELD ? leftOut(value) : withoutDataUris(value);
}

function withoutFiles(text: string): string {
  return withoutDataUris(text.replace(FILE_IN_TEXT, `$1${MASKED}`).replace(FILES_IN_TEXT, `$1${MASKED}`));
}

/**
 * Looks for the mark and then back. One expression for the whole would begin anew at every `data:` of a text that is
 * made of them, and hold up everybody's calls for seconds.
 */
function withoutDataUris(text: string): string {
  if (text.search(FILE_MARK) === -1) return text;
  const parts: string[] = [];
  let copiedTo = 0;
  let lookedTo = 0;
  for (const { index, 0: mark } of text.matchAll(EACH_MARK)) {
    if (index < lookedTo) continue; // Within a file that is left out.
    const start = startOfDataUri(text, lookedTo, index);
    lookedTo = index + mark.length;
    if (start === undefined) continue;
    const quote = text.indexOf('"', lookedTo);
    lookedTo = quote === -1 ? text.length : quote;
    parts.push(text.slice(copiedTo, start), leftOut(text.slice(start, lookedTo)));
    copiedTo = lookedTo;
  }
  return parts.join('') + text.slice(copiedTo);
}

/** Each mark ends in a comma, which no media type has: no character is looked at for two marks. */
function startOfDataUri(text: string, lookedTo: number, mark: number): number | undefined {
  const from = Math.max(lookedTo, mark - MAX_MEDIA_TYPE_CHARS - 'data:'.length);
  const before = text.slice(from, mark);
  if (!FILE_SCHEME.test(before)) return undefined;
  const barred = Math.max(before.lastIndexOf(','), before.lastIndexOf('"')) + 1;
  const found = before.slice(barred).search(FILE_SCHEME);
  return found === -1 ? undefined : from + barred + found;
}

function leftOut(file: string): string {
  return `[${file.length} characters left out]`;
}

function cut(text: string, length = text.length): string {
  if (text.length <= MAX_BODY_CHARS) return withoutNul(text);
  // By way of bytes: a slice would keep the whole text in memory for as long as it waits to be stored.
  const start = Buffer.from(text.slice(0, MAX_BODY_CHARS), 'utf8').toString('utf8');
  return withoutNul(start) + cutMark(length, 'characters');
}

function cutMark(length: number, unit: string): string {
  return ` [cut: ${length} ${unit} in all]`;
}

function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, REPLACEMENT) : text;
}
