/**
 * Stores API logs behind the back of the calls: they wait in memory and are written a few times a second, in batches
 * that do not wait for the disk. No call ever waits for its log. When more waits than memory is set aside for, or the
 * database does not take it, logs are dropped and counted: they are a help for callers, not a record of money.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { ApiLog } from './api-log.ts';
import { insertApiLogs } from './store.ts';

export interface ApiLogWriter {
  /** Returns at once. */
  add(log: ApiLog): void;
  /** Resolves when everything that was added before is stored, or dropped. */
  flush(): Promise<void>;
  /** Takes no more and flushes. */
  close(): Promise<void>;
}

type ApiLogWriterContext = Pick<Context, 'db' | 'settings' | 'log' | 'metrics'>;

export const MAX_QUEUED_LOGS = 20_000;
/** Of the bodies together. A character takes one or two bytes of memory. */
export const MAX_QUEUED_CHARS = 33_554_432;
const BATCH_MAX_LOGS = 256;
const WRITE_EVERY_MS = 250;
const MAX_TRIES = 3;
const PAUSE_MS = 500;

const DROP_REASONS = ['queue_full', 'not_stored'] as const;
type DropReason = (typeof DROP_REASONS)[number];

export function openApiLogWriter(ctx: ApiLogWriterContext): ApiLogWriter {
  const countDropped = ctx.metrics.counter({
    name: 'payferry_api_logs_dropped_total',
    help: 'API logs that were not kept, because too many were waiting or the database did not take them.',
    labels: ['reason'],
    fromZero: DROP_REASONS.map((reason) => ({ reason })),
  });
  return new Writer(ctx, (reason, logs) => countDropped({ reason }, logs));
}

class Writer implements ApiLogWriter {
  readonly #ctx: ApiLogWriterContext;
  readonly #drop: (reason: DropReason, logs: number) => void;
  #queue: ApiLog[] = [];
  #queuedChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(ctx: ApiLogWriterContext, drop: (reason: DropReason, logs: number) => void) {
    this.#ctx = ctx;
    this.#drop = drop;
  }

  add(log: ApiLog): void {
    const isFull = this.#queue.length >= MAX_QUEUED_LOGS || this.#queuedChars + charsOf(log) > MAX_QUEUED_CHARS;
    if (isFull || this.#isClosed) {
      this.#drop('queue_full', 1);
      return;
    }
    this.#queue.push(log);
    this.#queuedChars += charsOf(log);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, WRITE_EVERY_MS).unref();
  }

  flush(): Promise<void> {
    if (this.#writing === undefined && this.#queue.length > 0) this.#writing = this.#writeAll();
    return this.#writing ?? Promise.resolve();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    return this.flush();
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#take();
      if (await this.#store(batch)) continue;
      this.#drop('not_stored', batch.length);
      if (this.#isClosed) this.#dropAll();
    }
    this.#writing = undefined;
  }

  /** On a distributed PostgreSQL a batch is of one account. */
  #take(): ApiLog[] {
    const first = this.#queue[0];
    if (!this.#ctx.settings.database.oneTenantBatches || first === undefined) {
      return this.#release(this.#queue.splice(0, BATCH_MAX_LOGS));
    }
    const batch: ApiLog[] = [];
    const others: ApiLog[] = [];
    for (const log of this.#queue) {
      (log.accountId === first.accountId && batch.length < BATCH_MAX_LOGS ? batch : others).push(log);
    }
    this.#queue = others;
    return this.#release(batch);
  }

  #release(batch: ApiLog[]): ApiLog[] {
    for (const log of batch) this.#queuedChars -= charsOf(log);
    return batch;
  }

  async #store(batch: readonly ApiLog[]): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#ctx.db.inTx(async (tx) => {
          await tx.execute('set local synchronous_commit = off');
          await insertApiLogs(tx, batch);
        });
        return true;
      } catch (fault) {
        if (tries < MAX_TRIES) await sleep(PAUSE_MS);
        else {
          this.#ctx.log.warn('API logs were not stored', { logs: batch.length }, fault);
          return false;
        }
      }
    }
  }

  /** A stopping process does not try the rest on a database that just refused. */
  #dropAll(): void {
    this.#drop('not_stored', this.#queue.length);
    this.#queue = [];
    this.#queuedChars = 0;
  }
}

function charsOf(log: ApiLog): number {
  return log.requestBody.length + log.responseBody.length + log.requestUrl.length;
}
