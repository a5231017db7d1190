/** A real server on a free loopback port, over a real database, with accounts and keys to call it. For tests only. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { defaultTerms } from '../../server/src/accounts/account.ts';
import { type Credentials, openCredentials } from '../../server/src/accounts/credentials.ts';
import { insertKey } from '../../server/src/accounts/keys.ts';
import { type Seal, sealWith } from '../../server/src/accounts/seal.ts';
import { insertAccount } from '../../server/src/accounts/store.ts';
import { Readiness } from '../../server/src/http/health.ts';
import { balanceRoutes } from '../../server/src/http/routes/balances.ts';
import { buildServer, type EdgeContext, type Routes } from '../../server/src/http/server.ts';
import type { Clock } from '../../server/src/kernel/clock.ts';
import type { Database, Queryable } from '../../server/src/kernel/database.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import type { Log } from '../../server/src/kernel/log.ts';
import { openLog } from '../../server/src/observability/log.ts';
import { createMetrics, type Metrics } from '../../server/src/observability/metrics.ts';
import { loadSettings } from '../../server/src/settings/load.ts';
import type { Settings } from '../../server/src/settings/shape.ts';
import { conformanceReader, type ReadConformance } from '../support/conformance.ts';
import { listenWithSharedChecks } from '../support/shared-checks.ts';
import { type SignedCaller, signedCaller } from '../support/signed-caller.ts';

export const ids = timeOrderedIds();
export const seal: Seal = sealWith(randomBytes(32));

export function settingsFor(flags: Readonly<Record<string, string>>): Settings {
  const loaded = loadSettings({ flags, env: {}, directory: '/nonexistent' });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  return loaded.settings;
}

interface EdgeOptions {
  readonly db: Database;
  readonly flags?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly routes?: readonly Routes[];
}

export interface Edge {
  readonly server: FastifyInstance;
  readonly baseUrl: string;
  readonly conformance: ReadConformance;
  readonly credentials: Credentials;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Every line that was logged, as JSON. */
  readonly logged: string[];
}

/** Call it at the top of a test file: the server is closed when that ends. */
export async function startEdge({ db, flags = {}, clock, routes = [] }: EdgeOptions): Promise<Edge> {
  const logged: string[] = [];
  const log: Log = openLog({ level: 'debug', format: 'json', isTerminal: false, write: (line) => logged.push(line) });
  const metrics = createMetrics({ process: false });
  const ctx: EdgeContext = {
    db,
    ids,
    log,
    metrics,
    clock: clock ?? { now: () => new Date() },
    settings: settingsFor(flags),
  };
  const credentials = openCredentials({ db, seal });
  const readiness = new Readiness(db);
  readiness.enter('running');
  const server = buildServer(ctx, { credentials, readiness, routes: [balanceRoutes(ctx), ...routes] });
  const baseUrl = await listenWithSharedChecks(server, 'api');
  afterAll(() => server.close());
  return { server, baseUrl, conformance: conformanceReader(baseUrl), credentials, readiness, metrics, logged };
}

export interface CallerAccount {
  readonly accountId: string;
  readonly key: string;
  readonly secret: string;
}

export async function makeAccount(
  db: Database,
  terms: Partial<ReturnType<typeof defaultTerms>> = {},
): Promise<CallerAccount> {
  const accountId = ids.next();
  const at = new Date();
  const key = newKey();
  await db.inTx(async (tx) => {
    const dates = { createdAt: at, updatedAt: at };
    await insertAccount(tx, { ...defaultTerms('sandbox'), ...terms, name: 'Test', accountId, ...dates });
    await admit(tx, accountId);
    await insertKey(tx, seal, { ...key, accountId, label: 'test', createdAt: at });
  });
  return { accountId, ...key };
}

/** Its keys work in live mode too. */
async function admit(db: Queryable, accountId: string): Promise<void> {
  await db.execute(
    `insert into account_admissions (account_id, is_met, reason, admitted_at, admitted_by)
     values ($1::uuid, false, 'for tests', $2::timestamptz, 'ada')`,
    [accountId, new Date()],
  );
}

export async function makeKey(db: Database, accountId: string): Promise<{ key: string; secret: string }> {
  const key = newKey();
  await db.inTx((tx) => insertKey(tx, seal, { ...key, accountId, label: 'test', createdAt: new Date() }));
  return key;
}

function newKey(): { key: string; secret: string } {
  return { key: `key-${randomBytes(8).toString('hex')}`, secret: randomBytes(32).toString('hex') };
}

/** Its connections end with the server's. */
export function callerOf(
  { baseUrl, conformance }: Pick<Edge, 'baseUrl'> & Partial<Pick<Edge, 'conformance'>>,
  { key, secret }: { key: string; secret: string },
): SignedCaller {
  return signedCaller({ baseUrl, key, secret, ...(conformance && { conformance }) });
}
