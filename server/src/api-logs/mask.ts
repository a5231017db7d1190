/**
 * What of a call may be kept: bodies of a bounded length without the files in them, and headers without credentials. A
 * file that is uploaded is somebody's passport, and a signature is good for one call more if its nonce is ever forgotten.
 */
import { type HeaderMap, MAX_BODY_CHARS } from './api-log.ts';

const MASKED = '[masked]';
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization-signature',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

/** The field that holds a file in every object that has one. */
const FILE_FIELD = 'upload';
const DATA_URI = /data:[^,"]{0,200};base64,[^"]*/gi;
const FILE_IN_TEXT = /("upload"\s{0,10}:\s{0,10}")[^"]*/gi;
/** Signs of a file, and of an escape that could hide one. */
const MAY_HOLD_FILE = /base64|"upload"|\\u/i;
/** The database has no such character in texts. */
const NUL = '\u0000';
const REPLACEMENT = '\ufffd';

/** The body of a request: its bytes, and what they were read as; undefined where they were not JSON, or not read. */
export function keepRequestBody(bytes: Uint8Array | null, read: unknown): string {
  if (bytes === null || bytes.length === 0) return '';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_BODY_CHARS)).toString('utf8');
  const isWhole = bytes.length <= MAX_BODY_CHARS;
  if (isWhole && !MAY_HOLD_FILE.test(start)) return withoutNul(start);
  // Only the value shows a file for sure: its text may be written with escapes, or its name lie before the cut.
  if (read !== undefined) return cut(JSON.stringify(read, withoutFile));
  return withoutNul(withoutFiles(start)) + (isWhole ? '' : cutMark(bytes.length, 'bytes'));
}

/** The body of an answer. Answers hold no files, unless one shows a refused request again. */
export function keepAnswerBody(payload: unknown): string {
  if (typeof payload === 'string') return cut(payload.includes('base64') ? withoutFiles(payload) : payload);
  return payload instanceof Uint8Array ? keepRequestBody(payload, undefined) : '';
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
  if (typeof value !== 'string') return value;
  return name === FILE_FIELD ? leftOut(value) : value.replace(DATA_URI, leftOut);
}

function withoutFiles(text: string): string {
  return text.replace(FILE_IN_TEXT, `$1${MASKED}`).replace(DATA_URI, leftOut);
}

function leftOut(file: string): string {
  return `[${file.length} characters left out]`;
}

function cut(text: string): string {
  if (text.length <= MAX_BODY_CHARS) return withoutNul(text);
  // By way of bytes: a slice would keep the whole text in memory for as long as it waits to be stored.
  const start = Buffer.from(text.slice(0, MAX_BODY_CHARS), 'utf8').toString('utf8');
  return withoutNul(start) + cutMark(text.length, 'characters');
}

function cutMark(length: number, unit: string): string {
  return ` [cut: ${length} ${unit} in all]`;
}

function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, REPLACEMENT) : text;
}
