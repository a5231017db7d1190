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

/**
 * UUIDs of version 7: they begin with the time, so that new rows land at the end of every index
 * instead of all over it. The rest is chance from the operating system, drawn for many ids at once.
 */
export function timeOrderedIds(nowMs: () => number = Date.now): Ids {
  const pool = Buffer.alloc(POOL_IDS * BYTES_PER_ID);
  let offset = pool.length;
  return {
    next() {
      if (offset === pool.length) {
        randomFillSync(pool);
        offset = 0;
      }
      const id = formatVersion7(pool, nowMs(), offset);
      offset += BYTES_PER_ID;
      return id;
    },
  };
}

const TIME_DIGITS = 12;
const FIRST_GROUP = 8;
/** The bytes behind the time, and where the text has their two digits. */
const BEHIND_TIME = [
  [7, 16],
  [9, 21],
  [10, 24],
  [11, 26],
  [12, 28],
  [13, 30],
  [14, 32],
  [15, 34],
] as const;
const NO_CHANCE = new Uint8Array(BYTES_PER_ID);
const DIGITS = Buffer.from('0123456789abcdef');
/** Written over for every id: joined from pieces, a text would have to be put together when it is first used. */
const text = Buffer.from('00000000-0000-7000-8000-000000000000');
let writtenMs = 0;

/** Lays a time over 16 random bytes and writes them as a UUID of version 7: six bits say what it is. */
export function formatVersion7(random: Uint8Array, timeMs: number, offset = 0): string {
  if (timeMs !== writtenMs) {
    const time = timeMs.toString(16).padStart(TIME_DIGITS, '0');
    text.write(time.slice(0, FIRST_GROUP), 0, 'latin1');
    text.write(time.slice(FIRST_GROUP), FIRST_GROUP + 1, 'latin1');
    writtenMs = timeMs;
  }
  const variant = random[offset + 8] ?? 0;
  text[15] = digit((random[offset + 6] ?? 0) & 15);
  text[19] = digit(8 + ((variant >> 4) & 3));
  text[20] = digit(variant & 15);
  for (const [byteAt, textAt] of BEHIND_TIME) {
    const byte = random[offset + byteAt] ?? 0;
    text[textAt] = digit(byte >> 4);
    text[textAt + 1] = digit(byte & 15);
  }
  return text.toString('latin1');
}

/** The lowest that can be made at that time: all lower ones are older. */
export function firstIdAt(timeMs: number): string {
  return formatVersion7(NO_CHANCE, timeMs);
}

function digit(value: number): number {
  return DIGITS[value] ?? 0;
}
