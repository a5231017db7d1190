/**
 * Stores API logs behind the back of the calls: they wait in memory and are written a few times a second, in batches
 * that do not wait for the disk. No call ever waits for its log. When more waits than memory is set aside for, or the
 * database does not take it, logs are dropped and counted: they are a help for callers, not a record of money.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { sqlState, UNIQUE_VIOLATION } from '../kernel/database.ts';
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

export const MAX_HELD_LOGS = 20_000;
/** Of everything in them that may be long. A character takes one or two bytes of memory. */
export const MAX_HELD_CHARS = 33_554_432;
const BATCH_MAX_LOGS = 256;
const WRITE_EVERY_MS = 250;
/** So many are written before their time: a busy process would carry what waits through several of its collections. */
export const WORTH_WRITING = 128;
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
  /** Waiting or being written. */
  #heldLogs = 0;
  #heldChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** Everything is to be written, however few there are. */
  #isFlushing = false;
  #isClosed = false;

  constructor(ctx: ApiLogWriterContext, drop: (reason: DropReason, logs: number) => void) {
    this.#ctx = ctx;
    this.#drop = drop;
  }

  add(log: ApiLog): void {
    const isFull = this.#heldLogs >= MAX_HELD_LOGS || this.#heldChars + charsOf(log) > MAX_HELD_CHARS;
    if (isFull || this.#isClosed) {
      this.#drop('queue_full', 1);
      return;
    }
    this.#queue.push(log);
    this.#heldLogs += 1;
    this.#heldChars += charsOf(log);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, WRITE_EVERY_MS).unref();
    void this.#write();
  }

  flush(): Promise<void> {
    this.#isFlushing = this.#queue.length > 0;
    return this.#write();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    return this.flush();
  }

  #write(): Promise<void> {
    if (this.#writing === undefined && this.#isDue()) this.#writing = this.#writeAll();
    return this.#writing ?? Promise.resolve();
  }

  #isDue(): boolean {
    return this.#queue.length >= (this.#isFlushing ? 1 : WORTH_WRITING);
  }

  async #writeAll(): Promise<void> {
    // What is added in the same turn belongs to the first batch.
    await Promise.resolve();
    while (this.#isDue()) {
      const batch = this.#take();
      const isStored = await this.#store(batch);
      this.#release(batch);
      if (isStored) continue;
      this.#drop('not_stored', batch.length);
      if (this.#isClosed) this.#dropAll();
    }
    this.#writing = undefined;
    this.#isFlushing = false;
  }

  /** On a distributed PostgreSQL a batch is of one account. */
  #take(): ApiLog[] {
    const first = this.#queue[0];
    if (!this.#ctx.settings.database.oneTenantBatches || first === undefined) {
      return this.#queue.splice(0, BATCH_MAX_LOGS);
    }
    const batch: ApiLog[] = [];
    const others: ApiLog[] = [];
    for (const log of this.#queue) {
      (log.accountId === first.accountId && batch.length < BATCH_MAX_LOGS ? batch : others).push(log);
    }
    this.#queue = others;
    return batch;
  }

  #release(logs: readonly ApiLog[]): void {
    this.#heldLogs -= logs.length;
    for (const log of logs) this.#heldChars -= charsOf(log);
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
        // A batch is stored as a whole: an earlier try, whose commit was not confirmed, did happen.
        if (tries > 1 && sqlState(fault) === UNIQUE_VIOLATION) return true;
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
    this.#release(this.#queue);
    this.#queue = [];
  }
}

/** The headers of an answer are ours, and short. */
function charsOf({ requestBody, responseBody, requestUrl, requestHeaders }: ApiLog): number {
  let chars = requestBody.length + responseBody.length + requestUrl.length;
  for (const name in requestHeaders) chars += name.length + (requestHeaders[name]?.length ?? 0);
  return chars;
}
