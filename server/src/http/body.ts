/**
 * Bodies. The bytes are kept as they came, because the signature covers them; they are read as JSON only after it was
 * checked. What is read is bounded in depth and in number of values, and cannot reach into an object's prototype.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { MAX_METADATA_DEPTH } from '../kernel/storable.ts';
import type { ProblemName } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the bytes itself: they are not ours to understand, and need not be JSON. */
    takesBytes?: boolean;
  }
  interface FastifyRequest {
    /** The bytes of the body, as they were sent; null until they are in, and where there is no body. */
    rawBody: Buffer | null;
  }
}

type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  /** JSON, but with texts that cannot be stored: told on their fields. */
  | { readonly ok: false; readonly value: unknown; readonly refusals: readonly Refusal[] }
  | { readonly ok: false; readonly problem: ProblemName };

/** Room for the deepest metadata that may be kept, in the deepest object that has some. */
export const MAX_BODY_DEPTH = MAX_METADATA_DEPTH + 8;
export const MAX_BODY_VALUES = 20_000;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Every content type is taken in as bytes: which of them are refused is decided after the signature was checked. */
export function takeBodiesAsBytes(server: FastifyInstance): void {
  server.decorateRequest('rawBody', null);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body;
    done(null, undefined);
  });
}

/** Whether bytes follow the headers, as far as these tell. */
export function isBodyAnnounced(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The value in a request's bytes; undefined when there are none, whatever content type was named, and for a GET. */
export function readBody({ method, rawBody, headers, routeOptions }: FastifyRequest): ReadJson {
  if (method === 'GET' || routeOptions.config.takesBytes) return { ok: true, value: undefined };
  if (rawBody === null || rawBody.length === 0) return { ok: true, value: undefined };
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return { ok: false, problem: 'not_json_type' };
  return readJson(rawBody);
}

export function readJson(bytes: Buffer): ReadJson {
  if (!isUtf8(bytes)) return { ok: false, problem: 'not_json' };
  if (!isBounded(bytes)) return { ok: false, problem: 'too_complex' };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { ok: false, problem: 'not_json' };
  }
  // Both dangers show in the bytes: by name, or by an escape that could spell it.
  if (!bytes.includes('__proto__') && !bytes.includes('\\u')) return { ok: true, value };
  const refusals: Refusal[] = [];
  refuseNul(value, [], refusals);
  return refusals.length === 0 ? { ok: true, value } : { ok: false, value, refusals };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Counts before anything is built, so that a small body cannot become a large structure. */
function isBounded(bytes: Buffer): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MAX_BODY_DEPTH) return false;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (values > MAX_BODY_VALUES) return false;
  }
  return true;
}

/** Most strings end within this many bytes; looking for the end of a longer one is worth a call. */
const SHORT_STRING = 48;

/** The closing quote, or the end of the bytes. A document inside of a body is one long string: it is jumped over. */
function endOfString(bytes: Buffer, start: number): number {
  const soon = Math.min(start + SHORT_STRING, bytes.length);
  for (let at = start + 1; at < soon; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) break;
  }
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = bytes.indexOf(QUOTE, end + 1);
  }
  return bytes.length;
}

const NUL = '\u0000';

/**
 * Takes `__proto__` out, as an unknown field, and refuses every text with a NUL character as invalid, at its path: the
 * database has no such text. A name with one is told at its object.
 */
function refuseNul(value: unknown, path: Refusal['path'], refusals: Refusal[]): void {
  if (typeof value === 'string') {
    if (value.includes(NUL)) refusals.push(refuse('invalid', ...path));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, inside] of value.entries()) refuseNul(inside, [...path, index], refusals);
    return;
  }
  Reflect.deleteProperty(value, '__proto__');
  for (const [name, inside] of Object.entries(value)) {
    if (name.includes(NUL)) refusals.push(refuse('invalid', ...path));
    else refuseNul(inside, [...path, name], refusals);
  }
}
