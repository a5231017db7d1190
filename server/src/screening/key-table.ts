/**
 * A compact table from text keys to numbers, many for one key: each pair is one number of a sorted array, with the hash
 * of the key above and the number below. Two keys of one hash give each other's numbers, so whoever looks something up
 * compares what was found. It is filled first, sorted bucket by bucket, and then only read.
 */
import { assert } from '../kernel/assert.ts';

/** Numbers stay below this, so that hash and number fit into the 53 exact bits of a double. */
export const MAX_NUMBERS = 2 ** 21;
const BUCKETS = 256;
const BUCKET_SHIFT = 24;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class KeyTable {
  private filling: number[][] = Array.from({ length: BUCKETS }, () => []);
  private readonly sorted: Float64Array[] = [];

  add(key: string, value: number): void {
    assert(value < MAX_NUMBERS, 'a number that fits below the hash');
    const hash = hashOf(key);
    this.filling[hash >>> BUCKET_SHIFT]?.push(hash * MAX_NUMBERS + value);
  }

  /** Buckets are small; the caller may let others run between two of them. */
  *sort(): Generator<void> {
    for (const bucket of this.filling) {
      this.sorted.push(Float64Array.from(bucket).sort());
      bucket.length = 0;
      yield;
    }
    this.filling = [];
  }

  forEach(key: string, visit: (value: number) => void): void {
    const hash = hashOf(key);
    const bucket = this.sorted[hash >>> BUCKET_SHIFT];
    if (bucket === undefined) return;
    const from = hash * MAX_NUMBERS;
    const to = from + MAX_NUMBERS;
    for (let at = lowerBound(bucket, from); at < bucket.length; at += 1) {
      const pair = bucket[at] ?? to;
      if (pair >= to) return;
      visit(pair - from);
    }
  }

  get size(): number {
    return this.sorted.reduce((sum, bucket) => sum + bucket.length, 0);
  }
}

function hashOf(key: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** The first place whose number is not below `least`. */
function lowerBound(sorted: Float64Array, least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
