/**
 * The API as compose/start-api.ts puts it together, on a given database: real operations behind their batch runners,
 * all routes of the specification, real credentials, a loopback port. Time is the test's own, and what is written at
 * times of its own (records of calls, counts of soft limits) is left out, so that rows can be counted to the last one.
 */
import { afterAll } from 'vitest';
import type { AccountCheck } from '../../server/src/account-checks/account-check.ts';
import type { AccountTerms } from '../../server/src/accounts/account.ts';
import { openCredentials } from '../../server/src/accounts/credentials.ts';
import { openCatalogue } from '../../server/src/compose/open-catalogue.ts';
import { openContext } from '../../server/src/compose/open-context.ts';
import { openOperations } from '../../server/src/compose/operations.ts';
import type { Context } from '../../server/src/context.ts';
import type { Catalogue } from '../../server/src/corridors/catalogue.ts';
import type { KeptSwitches } from '../../server/src/corridors/switches.ts';
import { apiRoutes } from '../../server/src/http/api-routes.ts';
import { Readiness } from '../../server/src/http/health.ts';
import { buildServer, type Routes } from '../../server/src/http/server.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { sampleRatesFile } from '../../server/src/kernel/program-files.ts';
import { localWake } from '../../server/src/kernel/wake.ts';
import { openBook, writeBook } from '../../server/src/ledger/book.ts';
import { makeEntry } from '../../server/src/ledger/entry.ts';
import type { CurrencyCode } from '../../server/src/money/currencies.ts';
import { openLog } from '../../server/src/observability/log.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import type { PayinProvider } from '../../server/src/providers/payin-provider.ts';
import type { PayoutProvider } from '../../server/src/providers/payout-provider.ts';
import { fileRateSource } from '../../server/src/rates/file-source.ts';
import type { Settings } from '../../server/src/settings/shape.ts';
import type { Outgoing } from '../../server/src/webhooks/hand-over.ts';
import { type CallerAccount, callerOf, makeAccount, seal, settingsFor } from '../http/edge.ts';
import { conformanceReader } from './conformance.ts';
import { type Engine, openEngine } from './engine.ts';
import { type ManualClock, manualClock, NOON } from './manual-clock.ts';
import { listenWithSharedChecks } from './shared-checks.ts';
import type { SignedCaller } from './signed-caller.ts';

export interface TestContext extends Context {
  readonly clock: ManualClock;
  readonly switches: KeptSwitches;
}

export interface App {
  readonly ctx: TestContext;
  readonly clock: ManualClock;
  readonly db: Database;
  readonly baseUrl: string;
  /** Every line of the log, as JSON: empty of errors unless a test provokes one. */
  readonly logged: readonly string[];
  /** The work behind the calls: done when a test says so. */
  readonly engine: Engine;
  /** A new account with a key, and the given minor units of each currency. */
  newAccount(wish?: AccountWish): Promise<TestAccount>;
}

export interface AccountWish {
  readonly terms?: Partial<AccountTerms>;
  readonly balances?: Partial<Record<CurrencyCode, bigint>>;
}

export interface TestAccount extends CallerAccount {
  readonly caller: SignedCaller;
}

interface AppOptions {
  readonly db: Database;
  readonly flags?: Readonly<Record<string, string>>;
  /** In place of the sandbox's providers. */
  readonly providers?: readonly PayoutProvider[];
  /** In place of the sandbox's register of accounts. */
  readonly accountCheck?: AccountCheck;
  readonly payinProviders?: readonly PayinProvider[];
  /** Added before the routes, as compose/start-api.ts adds the records of calls. */
  readonly before?: (ctx: TestContext) => readonly Routes[];
  /** Providers whose callbacks are taken, beside those that are given orders. */
  readonly calling?: readonly PayoutProvider[];
  /** Who sends webhooks in the same process: told of what is stored. */
  readonly outgoing?: (ctx: TestContext) => Outgoing;
  /** How far one call moves the clock at most, as one that runs out of time does. */
  readonly maxJourneyMs?: number;
}

const catalogues = new Map<string, Catalogue>();

/**
 * It never changes, so the test files of a process share it; those that bring corridors of their own read them anew.
 */
function catalogueFor(settings: Settings): Catalogue {
  const { directory, variants, operatorsOfFives } = settings.corridors;
  if (directory !== null) return openCatalogue(settings);
  const wish = JSON.stringify([settings.mode, variants, operatorsOfFives]);
  const catalogue = catalogues.get(wish) ?? openCatalogue(settings);
  catalogues.set(wish, catalogue);
  return catalogue;
}

/** What operations get as their first argument, without a server. Closed when the test file ends. */
export async function openTestContext({ db, flags = {} }: AppOptions, logged: string[] = []): Promise<TestContext> {
  const clock = manualClock(NOON);
  const settings = settingsFor(flags);
  const log = openLog({ level: 'info', format: 'json', isTerminal: false, write: (line) => logged.push(line) });
  const ctx = await openContext({
    db,
    clock,
    settings,
    catalogue: catalogueFor(settings),
    seal,
    rateSource: fileRateSource(sampleRatesFile()),
    log,
    metrics: createMetrics({ process: false }),
    wake: localWake(),
  });
  afterAll(async () => {
    await ctx.switches.close();
    await ctx.rates.close();
  });
  return { ...ctx, clock, sureNow: () => clock.now() };
}

/** Call it at the top of a test file: everything is closed when that ends. */
export async function startApp(options: AppOptions): Promise<App> {
  const { db } = options;
  const logged: string[] = [];
  const ctx = await openTestContext(options, logged);
  const operations = openOperations(ctx, options.outgoing?.(ctx));
  const engine = openEngine(ctx, options.providers, options.accountCheck, options.payinProviders);
  const travel = async (byMs: number) => {
    const goneMs = Math.min(byMs, options.maxJourneyMs ?? byMs);
    await engine.travel(goneMs);
    return byMs - goneMs;
  };
  const readiness = new Readiness(db);
  readiness.enter('running');
  const server = buildServer(ctx, {
    credentials: openCredentials(ctx),
    readiness,
    routes: [
      ...(options.before?.(ctx) ?? []),
      ...apiRoutes(ctx, {
        ...operations,
        sandbox: { ...operations.sandbox, travel },
        accountChecks: engine.checker,
        callbacks: {
          provider: (name) => options.calling?.find((each) => each.name === name) ?? engine.providers.named(name),
          record: engine.work.record,
          payinProvider: engine.payins.providers.named,
          recordPayin: engine.payins.record,
        },
      }),
    ],
  });
  const baseUrl = await listenWithSharedChecks(server, 'api');
  const conformance = conformanceReader(baseUrl);
  afterAll(async () => {
    await server.close();
    await operations.close();
    await engine.close();
  });
  return {
    ctx,
    clock: ctx.clock,
    db,
    baseUrl,
    logged,
    engine,
    newAccount: async ({ terms = {}, balances = {} } = {}) => {
      const account = await makeAccount(db, terms);
      await topUp(ctx, account.accountId, balances);
      return { ...account, caller: callerOf({ baseUrl, conformance }, account) };
    },
  };
}

/** Brings money in, posted like everything else. */
export async function topUp(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  accountId: string,
  balances: Partial<Record<CurrencyCode, bigint>>,
): Promise<void> {
  const amounts = Object.entries(balances).map(([currency, minor]) => ({ currency, minor }));
  const keys = amounts.flatMap(({ currency }) => [
    { accountId, currency, ledgerAccount: 'treasury' as const },
    { accountId, currency, ledgerAccount: 'balance' as const },
  ]);
  await db.inTx(async (tx) => {
    const book = await openBook(tx, keys);
    for (const each of amounts) {
      book.post(makeEntry(ids, 'top_up', { accountId, postedAt: clock.now(), amounts: [each] }));
    }
    await writeBook(tx, book);
  });
}
