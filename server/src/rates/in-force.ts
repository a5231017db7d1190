/** The rates in force, and putting one of them by hand. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { announceRates, lockStoredRate, readStoredRates, storeNewerRates } from './store.ts';
import type { StoredRate } from './stored-rate.ts';

export function ratesInForce(tx: Tx): Promise<StoredRate[]> {
  return readStoredRates(tx);
}

/** The word of an operator: the newest when it is said, even over a file that is dated ahead. */
export async function putRate(
  tx: Tx,
  put: Omit<StoredRate, 'asOf'>,
  now: Date,
): Promise<{ readonly before: StoredRate | undefined; readonly after: StoredRate }> {
  const before = await lockStoredRate(tx, put.currency);
  const after = { ...put, asOf: new Date(Math.max(now.getTime(), (before?.asOf.getTime() ?? 0) + 1)) };
  const changed = await storeNewerRates(tx, [after], now);
  // Nothing there to lock, and then somebody else was first within the same millisecond: now there is a row to lock.
  if (changed.length === 0 && !before) return putRate(tx, put, now);
  assert(changed.length === 1, 'the rate that an operator set was stored');
  await announceRates(tx);
  return { before, after };
}
