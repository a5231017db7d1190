/**
 * Values in PostgreSQL's own binary form, each behind its length, put together in one place. A batch sends thousands of
 * ids, times and texts: as text each would be quoted here and parsed there. Used for lists (pg-lists.ts) and for whole
 * rows (pg-rows.ts).
 */
import type { SqlScalar } from '../kernel/database.ts';
import { putUuidWords } from './uuid-words.ts';

/** Writes one value behind its length; false when the value is not of the type. */
export type WriteElement = (element: SqlScalar) => boolean;

interface ElementType {
  /** The number of the type in every PostgreSQL. */
  readonly oid: number;
  readonly write: WriteElement;
}

const TYPES: Readonly<Record<string, ElementType>> = {
  uuid: { oid: 2950, write: writeUuid },
  text: { oid: 25, write: writeText },
  json: { oid: 114, write: writeText },
  timestamptz: { oid: 1184, write: writeTime },
  bigint: { oid: 20, write: writeBigint },
  integer: { oid: 23, write: (element) => writeInteger(element, 4) },
  smallint: { oid: 21, write: (element) => writeInteger(element, 2) },
  boolean: { oid: 16, write: writeBoolean },
};

/** Undefined when the type has no binary form here. */
export function elementType(type: string): ElementType | undefined {
  return TYPES[type];
}

const IS_NULL = -1;
const MAX_BYTES_OF_UNIT = 3;
/** Kept between uses and only ever grown: what is taken out is a copy. */
const SMALLEST_SCRATCH = 65_536;
const LARGEST_KEPT_SCRATCH = 4_194_304;

let scratch = Buffer.allocUnsafe(SMALLEST_SCRATCH);
/** The same bytes: numbers are put there much faster than by a buffer's own methods. */
let view = viewOf(scratch);
let end = 0;

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function use(bytes: Buffer<ArrayBuffer>): void {
  scratch = bytes;
  view = viewOf(bytes);
}

/** Begins anew. One thing is put together at a time, without waiting in between. */
export function startBytes(): void {
  end = 0;
}

export function bytesSoFar(): number {
  return end;
}

/** A copy of all that was put together. */
export function takeBytes(): Buffer {
  const taken = Buffer.from(scratch.subarray(0, end));
  if (scratch.length > LARGEST_KEPT_SCRATCH) use(Buffer.allocUnsafe(SMALLEST_SCRATCH));
  return taken;
}

export function putInt32(value: number): void {
  reserve(4);
  view.setInt32(end, value);
  end += 4;
}

export function putInt16(value: number): void {
  reserve(2);
  view.setInt16(end, value);
  end += 2;
}

export function putNull(): void {
  putInt32(IS_NULL);
}

/** Plain bytes, without their length. */
export function putBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, end);
  end += bytes.length;
}

/** For a length or a count that is known only behind what it counts. */
export function setInt32(value: number, at: number): void {
  view.setInt32(at, value);
}

function reserve(bytes: number): void {
  if (end + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * scratch.length, end + bytes));
  scratch.copy(larger, 0, 0, end);
  use(larger);
}

function writeText(element: SqlScalar): boolean {
  if (typeof element !== 'string') return false;
  reserve(4 + MAX_BYTES_OF_UNIT * element.length);
  const bytes = putPlain(element, end + 4) ? element.length : scratch.write(element, end + 4, 'utf8');
  view.setInt32(end, bytes);
  end += 4 + bytes;
  return true;
}

/** Most texts are states, currencies and names of types: shorter than what it takes to call for their bytes. */
const SHORT_TEXT = 24;
const ABOVE_ASCII = 0x80;

/** False when the text is long, or has characters of several bytes. */
function putPlain(text: string, to: number): boolean {
  if (text.length > SHORT_TEXT) return false;
  const bytes = scratch;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= ABOVE_ASCII) return false;
    bytes[to + at] = unit;
  }
  return true;
}

const UUID_BYTES = 16;

function writeUuid(element: SqlScalar): boolean {
  if (typeof element !== 'string') return false;
  reserve(4 + UUID_BYTES);
  if (!putUuidWords(element, view, end + 4)) return false;
  view.setInt32(end, UUID_BYTES);
  end += 4 + UUID_BYTES;
  return true;
}

/** PostgreSQL counts microseconds from the start of the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const TWO_TO_32 = 2 ** 32;

function writeTime(element: SqlScalar): boolean {
  if (!(element instanceof Date)) return false;
  const microseconds = (element.getTime() - EPOCH_MS) * 1_000;
  if (!Number.isSafeInteger(microseconds)) return false;
  reserve(12);
  const high = Math.floor(microseconds / TWO_TO_32);
  view.setInt32(end, 8);
  view.setInt32(end + 4, high);
  view.setUint32(end + 8, microseconds - high * TWO_TO_32);
  end += 12;
  return true;
}

const MAX_BIGINT = 2n ** 63n - 1n;

function writeBigint(element: SqlScalar): boolean {
  if (typeof element !== 'bigint' || element > MAX_BIGINT || element < -MAX_BIGINT) return false;
  reserve(12);
  view.setInt32(end, 8);
  view.setBigInt64(end + 4, element);
  end += 12;
  return true;
}

function writeInteger(element: SqlScalar, bytes: 2 | 4): boolean {
  const limit = 2 ** (8 * bytes - 1);
  if (!Number.isInteger(element) || Number(element) >= limit || Number(element) < -limit) return false;
  reserve(4 + bytes);
  view.setInt32(end, bytes);
  if (bytes === 2) view.setInt16(end + 4, Number(element));
  else view.setInt32(end + 4, Number(element));
  end += 4 + bytes;
  return true;
}

function writeBoolean(element: SqlScalar): boolean {
  if (typeof element !== 'boolean') return false;
  reserve(5);
  view.setInt32(end, 1);
  view.setUint8(end + 4, element ? 1 : 0);
  end += 5;
  return true;
}
