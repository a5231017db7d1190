/**
 * What the program tells Prometheus about itself. Each instance has a registry of its own, so that tests and several
 * servers in one process do not count into each other. Slices bring their series by `counter`, `timing` and `gauge`, or
 * by giving a reader to one of the watch functions; counters begin at zero where it is known what they will count.
 */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BatchObservation } from '../kernel/batch.ts';
import { sqlState } from '../kernel/database.ts';
import { TROUBLES, type Trouble } from '../kernel/log.ts';
import type { ProgramLog } from './log.ts';
import { type Series, seriesIn } from './series.ts';

/** For requests that no route takes: their paths are the caller's own and would make a series each. */
export const UNMATCHED_ROUTE = 'unmatched';

interface ObservedRequest {
  readonly method: string;
  /** The pattern of the route, never the path itself: that would make a series for each id. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The one that callers use, and the one of the operators. */
export type ListenerName = (typeof LISTENERS)[number];
const LISTENERS = ['api', 'operator'] as const;

interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DueRows {
  readonly kind: string;
  readonly due: number;
  readonly claimed: number;
  /** How long the oldest due row has been waiting; 0 when there is none. */
  readonly oldestSeconds: number;
}

/** What only people can bring on. */
export interface Waiting {
  readonly kind: string;
  readonly waiting: number;
  /** How long the oldest has been waiting; 0 when there is none. */
  readonly oldestSeconds: number;
}

export interface LedgerTotal {
  readonly ledgerAccount: string;
  readonly currency: string;
  /** Over all accounts. Shown as a float: beyond 2^53 it is close, not exact. */
  readonly minor: bigint;
}

export interface Metrics extends Series {
  observeRequest(request: ObservedRequest): void;
  countDroppedConnection(listener: ListenerName): void;
  watchLog(log: Pick<ProgramLog, 'hearTroubles'>): void;
  /** For the `observe` option of kernel/batch.ts. */
  batchObserver(operation: string): (batch: BatchObservation) => void;
  watchPool(read: () => PoolState): void;
  watchDueRows(read: () => Promise<readonly DueRows[]>): void;
  watchAttention(read: () => Promise<readonly Waiting[]>): void;
  watchLedger(read: () => Promise<readonly LedgerTotal[]>): void;
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

interface MetricsOptions {
  /** Also memory, processor time, garbage collection and event-loop delay of this process. */
  readonly process: boolean;
  /** How long a scrape waits for a value that is read; a test passes its own. */
  readonly readWithinMs?: number;
}

/** Those that the program answers with itself. */
const FAULT_STATUSES = ['500', '503'];
const FIRST_FAULT_STATUS = 500;
/** "Not ready" is what it is asked for, and no fault. */
const READY_ROUTE = '/health/ready';
/** Of all that a database can say: lost connections, a deadlock, a failed serialization, a statement past its time. */
const USUAL_FAULTS = ['DatabaseUnavailable', 'CommitUnknown', '40P01', '40001', '57014'];
const BATCH_COMMANDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];
const MS_PER_SECOND = 1_000;

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry });
  const series = seriesIn(registry, options.readWithinMs);
  return {
    ...series,
    ...requestMetrics(series),
    ...batchMetrics(series),
    ...watches(series),
    watchLog: (log) => log.hearTroubles(troubleCounter(series)),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function troubleCounter(series: Series): (level: Trouble) => void {
  const count = series.counter({
    name: 'payferry_log_lines_total',
    help: 'Warnings and errors in the log of this process.',
    labels: ['level'],
    fromZero: TROUBLES.map((level) => ({ level })),
  });
  return (level) => count({ level });
}

function requestMetrics(series: Series): Pick<Metrics, 'observeRequest' | 'countDroppedConnection'> {
  const observe = series.timing({
    name: 'payferry_http_request_seconds',
    help: 'Requests by route and status, with the time from the request line to the end of the answer.',
    labels: ['method', 'route', 'status'],
  });
  const countFault = series.counter({
    name: 'payferry_http_faults_total',
    help: 'Requests that were answered with 5xx, by status; not those that ask whether the process is ready.',
    labels: ['status'],
    fromZero: FAULT_STATUSES.map((status) => ({ status })),
  });
  const countDropped = series.counter({
    name: 'payferry_dropped_connections_total',
    help: 'Connections that were closed at once, because the listener had as many as it may have.',
    labels: ['listener'],
    fromZero: LISTENERS.map((listener) => ({ listener })),
  });
  return {
    observeRequest({ method, route, status, seconds }) {
      observe({ method, route, status: String(status) }, seconds);
      if (status >= FIRST_FAULT_STATUS && route !== READY_ROUTE) countFault({ status: String(status) });
    },
    countDroppedConnection: (listener) => countDropped({ listener }),
  };
}

function batchMetrics(series: Series): Pick<Metrics, 'batchObserver'> {
  const labels = ['operation'] as const;
  const observeSize = series.distribution(
    { name: 'payferry_batch_commands', help: 'Commands that went through the database together.', labels },
    BATCH_COMMANDS,
  );
  const observeWait = series.timing({
    name: 'payferry_batch_wait_seconds',
    help: 'How long the first command of a batch waited for the batch before it.',
    labels,
  });
  const observeRun = series.timing({
    name: 'payferry_batch_run_seconds',
    help: 'How long batches took, commit included.',
    labels,
  });
  const countFault = series.counter({
    name: 'payferry_batch_faults_total',
    help: 'Batches that failed as a whole, so that their commands were run again one by one.',
    labels: ['operation', 'fault'],
    // Each operation adds itself when it is opened.
    fromZero: [],
  });
  return {
    batchObserver(operation) {
      for (const fault of USUAL_FAULTS) countFault({ operation, fault }, 0);
      return ({ commands, waitedMs, ranMs, fault }) => {
        observeSize({ operation }, commands);
        observeWait({ operation }, waitedMs / MS_PER_SECOND);
        observeRun({ operation }, ranMs / MS_PER_SECOND);
        if (fault !== undefined) countFault({ operation, fault: faultName(fault) });
      };
    },
  };
}

function watches({ gauge }: Series): Pick<Metrics, 'watchPool' | 'watchDueRows' | 'watchAttention' | 'watchLedger'> {
  return {
    watchPool(read) {
      const names = { name: 'payferry_database_connections', help: 'Connections of the pool.', labels: ['state'] };
      gauge(names, () => {
        const { total, idle, waiting } = read();
        const values = { busy: total - idle, idle, awaited: waiting };
        return Object.entries(values).map(([state, value]) => ({ labels: { state }, value }));
      });
    },
    watchDueRows(read) {
      const readOnce = shareWhileRunning(read);
      const rows = { name: 'payferry_due_rows', help: 'Rows of work, due and claimed.', labels: ['kind', 'state'] };
      gauge(rows, async () =>
        (await readOnce()).flatMap(({ kind, due, claimed }) => [
          { labels: { kind, state: 'due' }, value: due },
          { labels: { kind, state: 'claimed' }, value: claimed },
        ]),
      );
      const age = { name: 'payferry_due_rows_oldest_seconds', help: 'Age of the oldest due row.', labels: ['kind'] };
      gauge(age, async () =>
        (await readOnce()).map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds })),
      );
    },
    watchAttention(read) {
      const readOnce = shareWhileRunning(read);
      const count = { name: 'payferry_attention', help: 'What waits for people.', labels: ['kind'] };
      gauge(count, async () => (await readOnce()).map(({ kind, waiting }) => ({ labels: { kind }, value: waiting })));
      const age = { name: 'payferry_attention_oldest_seconds', help: 'Age of the oldest of it.', labels: ['kind'] };
      gauge(age, async () =>
        (await readOnce()).map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds })),
      );
    },
    watchLedger(read) {
      const labels = ['ledger_account', 'currency'];
      gauge({ name: 'payferry_ledger_minor_units', help: 'Sum over all accounts, in minor units.', labels }, async () =>
        (await read()).map(({ ledgerAccount, currency, minor }) => ({
          labels: { ledger_account: ledgerAccount, currency },
          value: Number(minor),
        })),
      );
    },
  };
}

/** Two gauges of one reader are collected at the same time: they share what it reads. */
function shareWhileRunning<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** From a closed set, so that the number of series stays small: the SQLSTATE, or the class of the fault. */
function faultName(fault: unknown): string {
  return sqlState(fault) ?? (fault instanceof Error ? fault.name : 'unknown');
}
