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
      const bytes = pool.subarray(offset, offset + BYTES_PER_ID);
      offset += BYTES_PER_ID;
      return formatVersion7(bytes, nowMs());
    },
  };
}

/** Lays a time over 16 random bytes and writes them as a UUID of version 7. */
export function formatVersion7(random: Buffer, timeMs: number): string {
  random.writeUIntBE(timeMs, 0, 6);
  random.writeUInt8((random.readUInt8(6) & 0x0f) | 0x70, 6);
  random.writeUInt8((random.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = random.toString('hex', 0, BYTES_PER_ID);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
