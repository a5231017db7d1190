/**
 * How often each transaction was looked at: six times in its first hour, once in every hour after that. Kept in this
 * process alone, for the transactions that were looked at last. The id of a transaction begins with the time of its
 * creation, so nothing has to be read for it. Spec: Limits. Open point OP-80.
 */
import { HOUR_MS, STATUS_CHECKS, statusChecksAllowed } from './limits.ts';
import type { Standing } from './standing.ts';

export const MAX_WATCHED_TRANSACTIONS = 50_000;

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/i;
const TIME_HEX_DIGITS = 12;

interface Watched {
  readonly createdMs: number;
  hour: number;
  checks: number;
}

export class StatusChecks {
  /** The one that was looked at least lately comes first, and goes first. */
  readonly #watched = new Map<string, Watched>();

  /** Counts one more. */
  count(accountId: string, transactionId: string, nowMs: number): Standing {
    const key = `${accountId} ${transactionId.toLowerCase()}`;
    const known = this.#watched.get(key);
    const createdMs = known?.createdMs ?? createdAtMs(transactionId, nowMs);
    const hour = Math.floor((nowMs - createdMs) / HOUR_MS);
    const checks = known?.hour === hour ? known.checks + 1 : 1;
    this.#watched.delete(key);
    this.#watched.set(key, { createdMs, hour, checks });
    if (this.#watched.size > MAX_WATCHED_TRANSACTIONS) this.#forgetFirst();
    const resetsAtMs = createdMs + (hour + 1) * HOUR_MS;
    return { name: STATUS_CHECKS, allowed: statusChecksAllowed(hour), used: checks, resetsAtMs };
  }

  #forgetFirst(): void {
    for (const key of this.#watched.keys()) {
      this.#watched.delete(key);
      return;
    }
  }
}

/** An id that does not tell, or tells of the future, is none of ours: it counts as new. */
function createdAtMs(transactionId: string, nowMs: number): number {
  if (!VERSION_7.test(transactionId)) return nowMs;
  return Math.min(nowMs, Number.parseInt(transactionId.replace('-', '').slice(0, TIME_HEX_DIGITS), 16));
}
