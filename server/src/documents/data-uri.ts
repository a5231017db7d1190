/**
 * Reads a data URI with base64: `data:image/png;base64,iVBOR…`. In linear time, and nothing is decoded before its
 * length is known to be in bounds. Line breaks inside the base64 are skipped, since common encoders write them.
 */
import { accepted, type Checked, refuse, refused } from '../kernel/refusal.ts';
import { MAX_DOCUMENT_BYTES } from './document.ts';

interface DataUri {
  /** As declared, in the caller's case, without parameters. */
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** Browsers and form libraries put the name of the file there, escaped: `;name=my%20passport.png`. */
const MAX_HEADER_CHARS = 1_000;
const HEADER = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)(?:;[^;,\s]+)*;base64$/i;
/**
 * Looked for one character at a time: a pattern over the whole text would keep a way back for each of its characters.
 */
const NOT_BASE64 = /[^A-Za-z0-9+/]/;
const PADDING = new Set(['', '=', '==']);
/** Four characters for three bytes; the rest is room for a line break in every 60 characters. */
const MAX_BASE64_CHARS = Math.ceil((MAX_DOCUMENT_BYTES * 4) / 3) + 4;
const MAX_PAYLOAD_CHARS = Math.ceil(MAX_BASE64_CHARS * (62 / 60));

/** Refuses with invalid, too_large or blank (nothing after the comma). */
export function readDataUri(text: string): Checked<DataUri> {
  const comma = text.slice(0, MAX_HEADER_CHARS + 1).indexOf(',');
  const mediaType = comma === -1 ? undefined : HEADER.exec(text.slice(0, comma))?.[1];
  if (mediaType === undefined) return refused(refuse('invalid'));
  const payload = text.slice(comma + 1);
  if (payload.length > MAX_PAYLOAD_CHARS) return refused(refuse('too_large'));
  const base64 = payload.replace(/[\r\n]/g, '');
  if (base64.length === 0) return refused(refuse('blank'));
  if (!isBase64(base64)) return refused(refuse('invalid'));
  const content = Buffer.from(base64, 'base64');
  if (content.length > MAX_DOCUMENT_BYTES) return refused(refuse('too_large'));
  return accepted({ mediaType, content });
}

function isBase64(text: string): boolean {
  const stop = text.search(NOT_BASE64);
  const length = stop === -1 ? text.length : stop;
  // A single character left over after the groups of four cannot stand for a byte.
  return length > 0 && length % 4 !== 1 && PADDING.has(text.slice(length));
}
