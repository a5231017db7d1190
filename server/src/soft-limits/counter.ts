/**
 * Counts the calls that soft limits are about. A call is counted in memory and never waits; every few seconds `sync`
 * adds what was counted to the database and takes over the sums, so that all processes count together. Until then a
 * process knows of its own calls only. Spec: Limits. Open point OP-80.
 */
import type { Context } from '../context.ts';
import { readId } from '../kernel/storable.ts';
import { isEndedState, LIMITED, type LimitedGroup, type SoftLimit } from './limits.ts';
import type { Standing } from './standing.ts';
import { StatusChecks } from './status-checks.ts';
import { addCalls, type CountedCalls, deleteOldCounts, readTransactionState } from './store.ts';

export type SoftLimitContext = Pick<Context, 'db' | 'clock' | 'settings'>;

export const SYNC_EVERY_MS = 5_000;
/** Accounts times limits. Beyond it the counts of those that called first are forgotten here, not in the database. */
export const MAX_COUNTERS = 50_000;
const SYNC_MAX_ROWS = 1_000;
const KEEP_COUNTS_MS = 2 * 86_400_000;
const DELETE_MAX_ROWS = 10_000;
const DELETE_MAX_ROUNDS = 100;

export interface LimitedCall {
  readonly accountId: string;
  /** What the address names. */
  readonly objectId: string | undefined;
}

interface Counter {
  readonly accountId: string;
  readonly limitName: string;
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  /** The sum over all processes, as far as it is known here. */
  stored: number;
  /** What is counted here and not yet in that sum. */
  pending: number;
}

export class SoftLimits {
  readonly #ctx: SoftLimitContext;
  readonly #counters = new Map<string, Counter>();
  readonly #statusChecks = new StatusChecks();

  constructor(ctx: SoftLimitContext) {
    this.#ctx = ctx;
  }

  /** Counts one call, and tells where the account stands with each limit that holds for it. */
  count(group: LimitedGroup, call: LimitedCall): Standing[] {
    const nowMs = this.#ctx.clock.now().getTime();
    const standings = LIMITED[group].map((limit: SoftLimit) => this.#countOne(limit, call.accountId, nowMs));
    if (group !== 'transaction' || call.objectId === undefined) return standings;
    const checks = this.#statusChecks.count(call.accountId, call.objectId, nowMs);
    return checks === undefined ? standings : [...standings, checks];
  }

  /** Of a transaction that has ended no more status checks are counted. Told by whoever has read it. */
  end({ accountId, objectId }: LimitedCall): void {
    if (objectId !== undefined) this.#statusChecks.end(accountId, objectId);
  }

  /** Looks itself: for a call that is going to be refused, and so is not going to read it. */
  async hasEnded(call: LimitedCall): Promise<boolean> {
    const { accountId, objectId } = call;
    const transactionId = objectId === undefined ? undefined : readId(objectId);
    if (transactionId === undefined) return false;
    const state = await readTransactionState(this.#ctx.db, { accountId, transactionId });
    if (!isEndedState(state)) return false;
    this.end(call);
    return true;
  }

  /** Resolves when what was counted before is in the database and the sums are known here. */
  async sync(): Promise<void> {
    const counted = [...this.#counters.values()].filter((counter) => counter.pending > 0);
    const { oneTenantBatches } = this.#ctx.settings.database;
    for (const batch of batchesOf(counted, oneTenantBatches)) await this.#syncBatch(batch);
    const nowMs = this.#ctx.clock.now().getTime();
    for (const [key, counter] of this.#counters) {
      if (counter.windowEndMs <= nowMs && counter.pending === 0) this.#counters.delete(key);
    }
  }

  /** To be run every hour; what is left after the last round goes next time. */
  async dropOld(): Promise<void> {
    const before = new Date(this.#ctx.clock.now().getTime() - KEEP_COUNTS_MS);
    for (let round = 0; round < DELETE_MAX_ROUNDS; round += 1) {
      const deleted = await this.#ctx.db.inTx((tx) => deleteOldCounts(tx, before, DELETE_MAX_ROWS));
      if (deleted < DELETE_MAX_ROWS) return;
    }
  }

  #countOne({ name, calls, windowMs }: SoftLimit, accountId: string, nowMs: number): Standing {
    const windowStartMs = Math.floor(nowMs / windowMs) * windowMs;
    const windowEndMs = windowStartMs + windowMs;
    const key = keyOf(accountId, name, windowStartMs);
    const counter = this.#counters.get(key) ?? {
      ...{ accountId, limitName: name, windowStartMs, windowEndMs },
      ...{ stored: 0, pending: 0 },
    };
    counter.pending += 1;
    this.#counters.set(key, counter);
    if (this.#counters.size > MAX_COUNTERS) this.#forgetFirst();
    return { name, allowed: calls, used: counter.stored + counter.pending, resetsAtMs: windowEndMs };
  }

  #forgetFirst(): void {
    for (const key of this.#counters.keys()) {
      this.#counters.delete(key);
      return;
    }
  }

  /** Calls that are counted meanwhile stay pending. */
  async #syncBatch(batch: readonly Counter[]): Promise<void> {
    const added = batch.map((counter) => ({ counter, calls: counter.pending }));
    const counted = batch.map(countedCallsOf);
    const sums = await this.#ctx.db.inTx(async (tx) => {
      await tx.execute('set local synchronous_commit = off');
      return addCalls(tx, counted);
    });
    const byKey = new Map(sums.map((sum) => [keyOf(sum.accountId, sum.limitName, sum.windowStart.getTime()), sum]));
    for (const { counter, calls } of added) {
      const sum = byKey.get(keyOf(counter.accountId, counter.limitName, counter.windowStartMs));
      counter.stored = sum?.calls ?? counter.stored + calls;
      counter.pending -= calls;
    }
  }
}

/** On a distributed PostgreSQL a batch is of one account. */
function batchesOf(counters: readonly Counter[], oneTenant: boolean): Counter[][] {
  const batches: Counter[][] = [];
  const filling = new Map<string, Counter[]>();
  for (const counter of counters) {
    const tenant = oneTenant ? counter.accountId : '';
    const batch = filling.get(tenant);
    if (batch !== undefined && batch.length < SYNC_MAX_ROWS) batch.push(counter);
    else {
      const next = [counter];
      filling.set(tenant, next);
      batches.push(next);
    }
  }
  return batches;
}

function countedCallsOf({ accountId, limitName, windowStartMs, pending }: Counter): CountedCalls {
  return { accountId, limitName, windowStart: new Date(windowStartMs), calls: pending };
}

function keyOf(accountId: string, limitName: string, windowStartMs: number): string {
  return `${accountId} ${limitName} ${windowStartMs}`;
}
