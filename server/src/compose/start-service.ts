/**
 * Starts the service and stops it again: the only place where its parts meet. Everything that was opened is closed in
 * the opposite order, also when the start itself fails half-way.
 */
import { openCredentials } from '../accounts/credentials.ts';
import { opensSecrets } from '../accounts/keys.ts';
import type { Context } from '../context.ts';
import { healthRoutes, Readiness } from '../http/health.ts';
import { readLedgerTotals } from '../ledger/totals.ts';
import type { ProgramLog } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { operatorContext } from '../operator/command.ts';
import { writeSandboxAccess } from '../operator/local-files.ts';
import { createSandboxAccount, type SandboxAccount } from '../operator/sandbox-account.ts';
import { buildOperatorServer } from '../operator/server.ts';
import { readDueSenders } from '../senders/due.ts';
import { describeSettings } from '../settings/describe.ts';
import type { Origins } from '../settings/load.ts';
import type { Settings } from '../settings/shape.ts';
import { readDueTransactions } from '../transactions/due.ts';
import { warnOfUnknownTypes } from '../transactions/unknown-types.ts';
import { readWaiting } from '../transactions/waiting.ts';
import { readDueDeliveries } from '../webhooks/due.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import { UndiciSender } from '../webhooks/undici-sender.ts';
import { checkSettings } from './check-settings.ts';
import { Closing } from './closing.ts';
import { keepAccess } from './keep-access.ts';
import { keepInOrder } from './keep-in-order.ts';
import { listen } from './listen.ts';
import { openSeal, refuseOtherKey } from './master-key.ts';
import { type OpenClock, openClock } from './open-clock.ts';
import { openContext, rateSourceOf } from './open-context.ts';
import { openDatabase } from './open-database.ts';
import { followSwitches, openPayouts, type Payouts } from './open-payouts.ts';
import { type OpenScreening, openScreening } from './open-screening.ts';
import { senderWork } from './sender-work.ts';
import { startApi } from './start-api.ts';
import { startWorkers } from './start-workers.ts';
import { openWake } from './wake.ts';
import { webhookWork } from './webhook-work.ts';

interface StartOptions {
  readonly settings: Settings;
  readonly origins: Origins;
  readonly log: ProgramLog;
  readonly onProgress: (text: string) => void;
  readonly onLost: (reason: string) => void;
}

export interface Service {
  /** Where callers reach it, without a path. Undefined in a process that only works. */
  readonly apiUrl: string | undefined;
  readonly operatorUrl: string;
  /** Whether the data directory has a token for it. */
  readonly hasToken: boolean;
  /** In sandbox mode: credentials that work. */
  readonly sandbox: SandboxAccount | undefined;
  /** Says that it is not ready any more and begins no more work behind the calls; calls are still taken. */
  drain(): void;
  /** Finishes what is under way, then closes everything. */
  stop(): Promise<void>;
}

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
  const catalogue = await checkSettings(settings);
  const metrics = createMetrics({ process: true });
  metrics.watchLog(log);
  const screening = settings.role === 'api' ? undefined : await openScreening({ settings, log, metrics });
  if (screening) closing.add('sanctions lists', screening.close);
  const database = await openDatabase({ ...options, beforeChange: (db) => refuseOtherKey(settings, db) });
  const { db } = database;
  closing.add('database', database.close);
  metrics.watchPool(db.pool);
  metrics.watchLedger(() => readLedgerTotals(db));
  const wake = await openWake(db, log.turnsOf('wake-up of other processes').failed);
  closing.add('wake-ups', wake.close);
  const time = await openClock(settings, { db, wake, log, metrics });
  closing.add('clock', time.close);
  const [seal, rateSource] = [await openSeal(settings, db), rateSourceOf(settings)];
  const ctx = await openContext({ settings, db, log, metrics, wake, clock: time.clock, catalogue, seal, rateSource });
  watchRows(ctx);
  closing.add('rates', ctx.rates.close);
  closing.add('corridor switches', ctx.switches.close);
  await keepInOrder(ctx, { closing, time });

  const operator = operatorContext(ctx);
  closing.add('operator commands', operator.commands.close);
  const sandbox = settings.mode === 'sandbox' ? await createSandboxAccount(operator) : undefined;
  const credentials = openCredentials(ctx);
  const httpClient = new UndiciSender({ mode: settings.mode });
  closing.add('webhook connections', () => httpClient.close());
  const readiness = new Readiness(db, { whyNotByClock: time.whyNot, opensSecrets: (tx) => opensSecrets(tx, seal) });
  const { payouts, outgoing, stopWorkers } = await startWork(ctx, { httpClient, time, closing, screening });
  const api =
    settings.role === 'worker'
      ? undefined
      : await startApi(ctx, { credentials, payouts, outgoing, closing, time, readiness });
  const operators = buildOperatorServer({
    ctx: operator,
    metrics,
    settings: describeSettings(settings, options.origins),
    health: payouts.health,
    takers: payouts.work.takers,
    payinProviders: payouts.payins.providers,
    addHealth: (listener) => healthRoutes(listener, readiness),
    onKeyRevoked: credentials.forget,
    httpClient,
  });
  const operatorUrl = await listen(operators, settings.operator, '--operator-port');
  closing.add('operator listener', () => {
    readiness.enter('stopping');
    return operators.close();
  });
  const isDatabaseOurs = database.isOurs;
  const hasToken = await keepAccess(operator, { dataDir: settings.data, url: operatorUrl, isDatabaseOurs });
  if (sandbox && api) await writeSandboxAccess(settings.data, { url: api.url, ...sandbox });
  readiness.enter('running');
  const drain = () => beginDrain(readiness, stopWorkers);
  return { apiUrl: api?.url, operatorUrl, hasToken, sandbox, drain, stop: () => closing.run() };
}

function beginDrain(readiness: Readiness, stopWorkers: () => Promise<void>): void {
  readiness.enter('stopping');
  // What goes wrong there is told when everything is closed.
  stopWorkers().catch(() => undefined);
}

/** Counted when somebody asks for the metrics. */
function watchRows({ db, clock, metrics }: Context): void {
  metrics.watchDueRows(async () => [
    await readDueTransactions(db, clock.now()),
    await readDueDeliveries(db, clock.now()),
    await readDueSenders(db, clock.now()),
  ]);
  metrics.watchAttention(() => readWaiting(db, clock.now()));
}

/** Live mode has none of its own. */
const NOBODY_PAYS =
  'no payout provider is set up (bridge.url, or one of your own): funded payouts wait, and are refunded in the end';

interface WorkAround {
  readonly httpClient: UndiciSender;
  readonly time: OpenClock;
  readonly closing: Closing;
  /** Opened before the database: a broken list stops the start before anything is changed. None where nobody works. */
  readonly screening: OpenScreening | undefined;
}

interface StartedWork {
  readonly payouts: Payouts;
  readonly outgoing: Outgoing | undefined;
  /** Nothing in a process that has none. */
  readonly stopWorkers: () => Promise<void>;
}

/** The payouts, and where this process works also the loops that drive them and everything else behind the calls. */
async function startWork(ctx: Context, { httpClient, time, closing, screening }: WorkAround): Promise<StartedWork> {
  const webhooks = screening === undefined ? undefined : webhookWork(ctx, httpClient);
  const payouts = openPayouts(ctx, { moving: time.moving, outgoing: webhooks?.outgoing });
  if (payouts.providers.all().length === 0) ctx.log.warn(NOBODY_PAYS);
  closing.add('switches of providers', await followSwitches(ctx, payouts.health));
  closing.add('providers', payouts.providers.close);
  closing.add('account checks', payouts.checker.close);
  closing.add('payin providers', payouts.payins.providers.close);
  // After the last answers were recorded: what they caused has been handed over by then.
  if (webhooks) closing.add('new deliveries', webhooks.idle);
  // Started before the listener and closed after it: the last callbacks are still recorded.
  closing.add('payouts', payouts.work.close);
  if (webhooks === undefined || screening === undefined) {
    return { payouts, outgoing: undefined, stopWorkers: async () => undefined };
  }
  await warnOfUnknownTypes(ctx);
  const works = [payouts.work, ...webhooks.works, ...senderWork(ctx, screening)];
  const stopWorkers = startWorkers(ctx, works, time.whyNot);
  closing.add('workers', stopWorkers);
  return { payouts, outgoing: webhooks.outgoing, stopWorkers };
}
