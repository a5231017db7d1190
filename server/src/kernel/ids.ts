/**
 * Ids are made by the program, before its batch, never by the database: a command that is run again
 * carries the same ids, so that a commit which did happen can be recognised (see kernel/batch.ts).
 */
import { randomFillSync } from 'node:crypto';

export interface Ids {
  /** A new UUID, lower case. */
  next(): string;
}

const POOL_IDS = 512;
const BYTES_PER_ID = 16;
const HEX_PER_ID = 2 * BYTES_PER_ID;

/**
 * UUIDs of version 7: they begin with the time, so that new rows land at the end of every index
 * instead of all over it. The rest is chance from the operating system, drawn and written for many ids at once.
 */
export function timeOrderedIds(nowMs: () => number = Date.now): Ids {
  const pool = Buffer.alloc(POOL_IDS * BYTES_PER_ID);
  let hex = '';
  let offset = 0;
  return {
    next() {
      if (offset === hex.length) {
        hex = randomFillSync(pool).toString('hex');
        offset = 0;
      }
      const random = hex.slice(offset, offset + HEX_PER_ID);
      offset += HEX_PER_ID;
      return formatVersion7(random, nowMs());
    },
  };
}

const VERSION = '7';
/** The two upper bits of this digit say which kind of UUID it is; the two lower ones are chance. */
const VARIANT = '89ab';
const TIME_DIGITS = 12;

/** Lays a time over 32 random hexadecimal digits and writes them as a UUID of version 7. */
export function formatVersion7(random: string, timeMs: number): string {
  const time = timeMs.toString(16).padStart(TIME_DIGITS, '0');
  const variant = VARIANT[Number.parseInt(random.charAt(16), 16) & 3] ?? '';
  return `${time.slice(0, 8)}-${time.slice(8)}-${VERSION}${random.slice(13, 16)}-${variant}${random.slice(17, 20)}-${random.slice(20)}`;
}
