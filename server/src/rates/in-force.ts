/** The rates in force, and putting one of them by hand. */
import type { Tx } from '../kernel/database.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { isAhead } from './age.ts';
import { announceRates, lockStoredRate, readStoredRates, replaceRate, storeNewerRates } from './store.ts';
import type { StoredRate } from './stored-rate.ts';

export function ratesInForce(tx: Tx): Promise<StoredRate[]> {
  return readStoredRates(tx);
}

/** It stays in force until the end of the transaction. */
export function rateInForce(tx: Tx, currency: CurrencyCode): Promise<StoredRate | undefined> {
  return lockStoredRate(tx, currency);
}

/**
 * The word of an operator: the newest when it is said, whatever is stored. It is dated behind what it replaces, so that
 * a file that is read again does not undo it, but only as far as clocks may differ: further ahead it would keep out
 * every right file that follows.
 */
export async function putRate(
  tx: Tx,
  put: Omit<StoredRate, 'asOf'>,
  now: Date,
): Promise<{ readonly before: StoredRate | undefined; readonly after: StoredRate }> {
  const before = await lockStoredRate(tx, put.currency);
  const behind = new Date((before?.asOf.getTime() ?? 0) + 1);
  const after = { ...put, asOf: behind < now || isAhead(behind, now) ? now : behind };
  if (before) {
    await replaceRate(tx, after, now);
  } else {
    const changed = await storeNewerRates(tx, [after], now);
    // Nothing there to lock, and then somebody else was first within the same millisecond: now there is a row to lock.
    if (changed.length === 0) return putRate(tx, put, now);
  }
  await announceRates(tx);
  return { before, after };
}
