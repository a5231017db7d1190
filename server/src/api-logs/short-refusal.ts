/**
 * A long 422 as the API log keeps it. The answer begins with the refused object, of which the descriptor of the payout
 * fields alone may be longer than what is kept of a body: whoever looks the call up would not find what was wrong. So
 * the errors come first, and descriptors are left out with their length. Open point OP-87.
 */
import { MAX_BODY_CHARS } from './api-log.ts';

const REFUSED = 422;
/** Of a text that is read again for it. One that is longer has been sent so, and is cut as it is. */
const MAX_READ_CHARS = 262_144;
const DESCRIPTOR = 'fields';

/** The payload itself where it is something else, or short enough to be kept whole. */
export function shortRefusal(status: number, payload: unknown): unknown {
  if (status !== REFUSED || typeof payload !== 'string') return payload;
  if (payload.length <= MAX_BODY_CHARS || payload.length > MAX_READ_CHARS) return payload;
  const body: unknown = JSON.parse(payload, withoutDescriptor);
  if (typeof body !== 'object' || body === null || !('errors' in body)) return payload;
  const { errors, ...rest } = body;
  // What exists already comes behind the object that was refused; both stay in their order.
  return JSON.stringify({ errors, ...rest });
}

function withoutDescriptor(name: string, value: unknown): unknown {
  const isDescriptor = name === DESCRIPTOR && typeof value === 'object' && value !== null;
  return isDescriptor ? `[${JSON.stringify(value).length} characters left out]` : value;
}
