/**
 * Lists in PostgreSQL's own binary form. What does not fit the type goes as text instead, and the database says what is
 * wrong with it.
 */
import type { SqlScalar } from '../kernel/database.ts';
import { bytesSoFar, elementType, putInt32, putNull, setInt32, startBytes, takeBytes } from './pg-bytes.ts';

const HAS_NULL_AT = 4;

/** Undefined when the type has no binary form here, or an element does not fit it. */
export function binaryList(type: string, elements: readonly SqlScalar[]): Buffer | undefined {
  startBytes();
  return putList(type, elements) ? takeBytes() : undefined;
}

/** Behind what was put together so far. False when an element does not fit. */
export function putList(type: string, elements: readonly SqlScalar[]): boolean {
  const known = elementType(type);
  if (known === undefined) return false;
  const at = bytesSoFar();
  // One dimension that counts from one; a list of nothing has no dimension.
  putInt32(elements.length === 0 ? 0 : 1);
  putInt32(0);
  putInt32(known.oid);
  if (elements.length === 0) return true;
  putInt32(elements.length);
  putInt32(1);
  let hasNull = false;
  for (const element of elements) {
    if (element === null) {
      hasNull = true;
      putNull();
    } else if (!known.write(element)) return false;
  }
  if (hasNull) setInt32(1, at + HAS_NULL_AT);
  return true;
}
