/**
 * How often each transaction was looked at: six times in its first hour, once in every hour after that, as long as it
 * has not ended. Kept in this process alone, for the transactions that were looked at last. The id of a transaction
 * begins with the time of its creation, so nothing has to be read for it; that it has ended is told by whoever has read
 * it. Spec: Limits. Open point OP-80.
 */
import { HOUR_MS, STATUS_CHECKS, statusChecksAllowed } from './limits.ts';
import type { Standing } from './standing.ts';

export const MAX_WATCHED_TRANSACTIONS = 50_000;

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/i;
const TIME_HEX_DIGITS = 12;

interface Watched {
  readonly createdMs: number;
  readonly hour: number;
  readonly checks: number;
  /** Known from then on; nothing that has ended begins again. */
  readonly isEnded: boolean;
}

export class StatusChecks {
  /** The one that was looked at least lately comes first, and goes first. */
  readonly #watched = new Map<string, Watched>();

  /** Counts one more. Undefined: it has ended, and may be looked at as often as the day allows. */
  count(accountId: string, transactionId: string, nowMs: number): Standing | undefined {
    const key = keyOf(accountId, transactionId);
    const known = this.#watched.get(key);
    const createdMs = known?.createdMs ?? createdAtMs(transactionId, nowMs);
    const hour = Math.floor((nowMs - createdMs) / HOUR_MS);
    const checks = known?.hour === hour ? known.checks + 1 : 1;
    const isEnded = known?.isEnded ?? false;
    this.#keep(key, { createdMs, hour, checks, isEnded });
    if (isEnded) return undefined;
    const resetsAtMs = createdMs + (hour + 1) * HOUR_MS;
    return { name: STATUS_CHECKS, allowed: statusChecksAllowed(hour), used: checks, resetsAtMs };
  }

  /** Of one that was counted. */
  end(accountId: string, transactionId: string): void {
    const key = keyOf(accountId, transactionId);
    const known = this.#watched.get(key);
    if (known) this.#keep(key, { ...known, isEnded: true });
  }

  #keep(key: string, watched: Watched): void {
    this.#watched.delete(key);
    this.#watched.set(key, watched);
    if (this.#watched.size > MAX_WATCHED_TRANSACTIONS) this.#forgetFirst();
  }

  #forgetFirst(): void {
    for (const key of this.#watched.keys()) {
      this.#watched.delete(key);
      return;
    }
  }
}

function keyOf(accountId: string, transactionId: string): string {
  return `${accountId} ${transactionId.toLowerCase()}`;
}

/** An id that does not tell, or tells of the future, is none of ours: it counts as new. */
function createdAtMs(transactionId: string, nowMs: number): number {
  if (!VERSION_7.test(transactionId)) return nowMs;
  return Math.min(nowMs, Number.parseInt(transactionId.replace('-', '').slice(0, TIME_HEX_DIGITS), 16));
}
