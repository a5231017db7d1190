/**
 * Starts the service and stops it again: the only place where its parts meet. Everything that was opened is closed in
 * the opposite order, also when the start itself fails half-way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openCredentials } from '../accounts/credentials.ts';
import { keepNonceBuckets } from '../accounts/nonce-buckets.ts';
import { dropOldApiLogs } from '../api-logs/retention.ts';
import { openApiLogWriter } from '../api-logs/writer.ts';
import type { Context } from '../context.ts';
import { apiRoutes } from '../http/api-routes.ts';
import { Readiness } from '../http/health.ts';
import { limitCalls } from '../http/limit-calls.ts';
import { recordCalls } from '../http/record-calls.ts';
import { buildServer } from '../http/server.ts';
import { assert } from '../kernel/assert.ts';
import type { Log } from '../kernel/log.ts';
import type { MovingClock } from '../kernel/moving-clock.ts';
import { readLedgerTotals } from '../ledger/totals.ts';
import { createMetrics } from '../observability/metrics.ts';
import { operatorContext } from '../operator/command.ts';
import { writeSandboxAccess } from '../operator/local-files.ts';
import { keepLocalToken } from '../operator/local-token.ts';
import { createSandboxAccount, type SandboxAccount } from '../operator/sandbox-account.ts';
import { buildOperatorServer } from '../operator/server.ts';
import { describeSettings } from '../settings/describe.ts';
import type { Origins } from '../settings/load.ts';
import type { Settings } from '../settings/shape.ts';
import { SoftLimits, SYNC_EVERY_MS } from '../soft-limits/counter.ts';
import { readDueTransactions } from '../transactions/due.ts';
import { travel } from '../transactions/travel.ts';
import { readDueDeliveries } from '../webhooks/due.ts';
import { dropOldWebhookLogs } from '../webhooks/log-retention.ts';
import { UndiciSender } from '../webhooks/undici-sender.ts';
import { Closing } from './closing.ts';
import { every } from './every.ts';
import { listen } from './listen.ts';
import { type OpenClock, openClock } from './open-clock.ts';
import { openContext } from './open-context.ts';
import { openDatabase } from './open-database.ts';
import { followSwitches, openPayouts, type Payouts } from './open-payouts.ts';
import { openOperations } from './operations.ts';
import { startWorkers } from './start-workers.ts';
import { openWake } from './wake.ts';
import { webhookWork } from './webhook-work.ts';

export interface StartOptions {
  readonly settings: Settings;
  readonly origins: Origins;
  readonly log: Log;
  readonly onProgress: (text: string) => void;
  readonly onLost: (reason: string) => void;
}

export interface Service {
  /** Where callers reach it, without a path. Undefined in a process that only works. */
  readonly apiUrl: string | undefined;
  readonly operatorUrl: string;
  /** In sandbox mode: credentials that work. */
  readonly sandbox: SandboxAccount | undefined;
  /** Finishes what is under way, then closes everything. */
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;

export async function startService(options: StartOptions): Promise<Service> {
  const closing = new Closing();
  try {
    return await start(options, closing);
  } catch (fault) {
    await closing.run();
    throw fault;
  }
}

async function start(options: StartOptions, closing: Closing): Promise<Service> {
  const { settings, log } = options;
  const database = await openDatabase(options);
  closing.add('database', database.close);
  const metrics = createMetrics({ process: true });
  metrics.watchPool(database.db.pool);
  metrics.watchLedger(() => readLedgerTotals(database.db));
  const wake = await openWake(database.db, (fault) => log.warn('wake-up of other processes', {}, fault));
  closing.add('wake-ups', wake.close);
  const time = await openClock(settings, { db: database.db, wake, onFault: (fault) => log.warn('clock', {}, fault) });
  closing.add('clock', time.close);
  const ctx = await openContext({ settings, db: database.db, log, metrics, wake, clock: time.clock });
  metrics.watchDueRows(async () => [
    await readDueTransactions(ctx.db, ctx.clock.now()),
    await readDueDeliveries(ctx.db, ctx.clock.now()),
  ]);
  closing.add('rates', ctx.rates.close);
  closing.add('corridor switches', ctx.switches.close);
  await keepInOrder(ctx, closing);

  const operator = operatorContext(ctx);
  closing.add('operator commands', operator.commands.close);
  const sandbox = settings.mode === 'sandbox' ? await createSandboxAccount(operator) : undefined;
  const credentials = openCredentials(ctx);
  const sender = new UndiciSender({ mode: settings.mode });
  closing.add('webhook connections', () => sender.close());
  const payouts = openPayouts(ctx, time.moving);
  closing.add('switches of providers', await followSwitches(ctx, payouts.health));
  closing.add('providers', payouts.providers.close);
  // Started before the listener and closed after it: the last callbacks are still recorded.
  closing.add('payouts', payouts.work.settle);
  if (settings.role !== 'api') closing.add('workers', startWorkers(ctx, [payouts.work, ...webhookWork(ctx, sender)]));
  const api = settings.role === 'worker' ? undefined : await startApi(ctx, { credentials, payouts, closing, time });
  const operators = buildOperatorServer({
    ctx: operator,
    metrics,
    settings: describeSettings(settings, options.origins),
    health: payouts.health,
    onKeyRevoked: credentials.forget,
    sender,
  });
  const operatorUrl = await listen(operators, settings.operator);
  closing.add('operator listener', () => operators.close());
  const isDatabaseOurs = database.isOurs;
  const hasToken = await keepLocalToken(operator, { dataDir: settings.data, url: operatorUrl, isDatabaseOurs });
  if (!hasToken) log.warn('no operator token for this data directory: ask another operator for one');
  if (sandbox && api) await writeSandboxAccess(settings.data, { url: api.url, ...sandbox });
  api?.readiness.enter('running');
  return { apiUrl: api?.url, operatorUrl, sandbox, stop: () => closing.run() };
}

/** What every process does once an hour: new partitions for nonces, and an end to what was kept long enough. */
async function keepInOrder(ctx: Context, closing: Closing): Promise<void> {
  const keepBuckets = () => keepNonceBuckets(ctx.db, ctx.clock.now(), ctx.settings.nonces.retentionMs);
  await keepBuckets();
  const hourly = (name: string, turn: () => Promise<unknown>) =>
    closing.add(
      name,
      every(HOUR_MS, turn, (fault) => ctx.log.warn(name, {}, fault)),
    );
  hourly('nonce buckets', keepBuckets);
  // A clock that was moved by a day needs the buckets of that day.
  ctx.wake.on('clock', () => void keepBuckets().catch((fault: unknown) => ctx.log.warn('nonce buckets', {}, fault)));
  hourly('old API logs', () => dropOldApiLogs(ctx));
  hourly('old webhook logs', () => dropOldWebhookLogs(ctx));
}

interface ApiParts {
  readonly credentials: ReturnType<typeof openCredentials>;
  readonly payouts: Payouts;
  readonly closing: Closing;
  readonly time: OpenClock;
}

async function startApi(ctx: Context, { credentials, payouts, closing, time }: ApiParts) {
  const readiness = new Readiness(ctx.db);
  const operations = openOperations(ctx);
  const apiLogs = openApiLogWriter(ctx);
  const softLimits = keepSoftLimits(ctx, closing);
  const server = buildServer(ctx, {
    credentials,
    readiness,
    routes: [
      recordCalls(ctx, apiLogs),
      limitCalls(ctx, softLimits),
      ...apiRoutes(ctx, {
        ...operations,
        sandbox: { ...operations.sandbox, travel: travelBy(ctx, time.moving) },
        callbacks: { provider: payouts.providers.named, record: payouts.work.record },
      }),
    ],
  });
  // Closed in the opposite order: first no more calls, then the operations that were under way, then the logs.
  closing.add('API logs', () => apiLogs.close());
  closing.add('operations', operations.close);
  closing.add('api listener', () => {
    readiness.enter('stopping');
    return server.close();
  });
  const listeningAt = await listen(server, ctx.settings);
  return { url: ctx.settings.publicUrl ?? listeningAt, readiness };
}

/** Counted by the processes that answer calls, and told to the others every few seconds. */
function keepSoftLimits(ctx: Context, closing: Closing): SoftLimits {
  const softLimits = new SoftLimits(ctx);
  const onFault = (fault: unknown) => ctx.log.warn('soft limits', {}, fault);
  // Closed in the opposite order: what was counted last is told once the turns have stopped.
  closing.add('soft limits', () => softLimits.sync().catch(onFault));
  closing.add(
    'turns of soft limits',
    every(SYNC_EVERY_MS, () => softLimits.sync(), onFault),
  );
  closing.add(
    'old soft limits',
    every(HOUR_MS, () => softLimits.dropOld(), onFault),
  );
  return softLimits;
}

/** One journey at a time: two that overlap would step over what the other waits for. */
function travelBy(ctx: Context, clock: MovingClock | undefined): (byMs: number) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (byMs) => {
    assert(clock !== undefined, 'only the clock of a sandbox is moved');
    const pause = (delayMs: number) => sleep(delayMs);
    const journey = last.then(() => travel({ ctx, clock, otherAgendas: [], pause }, byMs));
    last = journey.catch(() => undefined);
    return journey;
  };
}
