/** An operator listener on a fresh database, with the token of one operator, and a caller for it. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll } from 'vitest';
import { makeToken, SYSTEM_OPERATOR } from '../../server/src/accounts/operators.ts';
import { sealWith } from '../../server/src/accounts/seal.ts';
import { amountBounds } from '../../server/src/corridors/amount-bounds.ts';

import { loadCatalogue } from '../../server/src/corridors/catalogue.ts';

import { pgFileStore } from '../../server/src/documents/pg-files.ts';
import { healthRoutes, Readiness } from '../../server/src/http/health.ts';
import { present } from '../../server/src/kernel/assert.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { type Log, silentLog } from '../../server/src/kernel/log.ts';
import { localWake } from '../../server/src/kernel/wake.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { type OperatorContext, operatorContext } from '../../server/src/operator/command.ts';
import { createOperator } from '../../server/src/operator/operators.ts';
import { buildOperatorServer } from '../../server/src/operator/server.ts';
import type { OperatorServerOptions } from '../../server/src/operator/server-options.ts';
import { HealthBoard } from '../../server/src/providers/health-board.ts';
import { payinProvidersOf } from '../../server/src/providers/payin-registry.ts';
import { describeSettings } from '../../server/src/settings/describe.ts';
import { loadSettings } from '../../server/src/settings/load.ts';
import type { Settings } from '../../server/src/settings/shape.ts';
import { UndiciSender } from '../../server/src/webhooks/undici-sender.ts';
import { freshDatabase } from '../support/database.ts';
import { listenWithSharedChecks } from '../support/shared-checks.ts';

export interface CallOptions {
  readonly token?: string | null;
  readonly commandId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

/** Parsed JSON that a test walks through: `at(body, 'account', 'id')`. */
export type Json = unknown;

export function at(value: Json, ...path: (string | number)[]): Json {
  return path.reduce<Json>(
    (inner, name) => (Object(inner) === inner ? Reflect.get(Object(inner), name) : undefined),
    value,
  );
}

export function textAt(value: Json, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(value)}`);
  return found;
}

/** The moment at which the tests' clock stands until it is moved. */
export const TEST_START = new Date('2026-11-16T09:00:00.000Z');

function settingsFor(mode: 'sandbox' | 'live', flags: Record<string, string> = {}): Settings {
  const loaded = loadSettings({ flags, env: {}, directory: tmpdir() });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  return { ...loaded.settings, mode };
}

interface ContextOptions {
  readonly mode?: 'sandbox' | 'live';
  readonly flags?: Record<string, string>;
  readonly log?: Log;
  /** Where a test has to know it. */
  readonly masterKey?: Buffer;
}

/** Read once: files take longer than most tests. */
const catalogue = loadCatalogue();

export function contextOn(db: Database, options: ContextOptions = {}) {
  const settings = settingsFor(options.mode ?? 'sandbox', options.flags);
  const clock = { at: TEST_START, now: () => new Date(clock.at) };
  const ctx = operatorContext({
    db,
    clock,
    ids: timeOrderedIds(),
    seal: sealWith(options.masterKey ?? randomBytes(32)),
    settings,
    log: options.log ?? silentLog,
    catalogue,
    amountBounds: amountBounds(settings.corridors, catalogue),
    wake: localWake(),
    files: pgFileStore,
  });
  const moveClock = (byMs: number) => {
    clock.at = new Date(clock.at.getTime() + byMs);
  };
  return { ctx, moveClock };
}

/** Adds an operator as a first start would, and gives its token. */
export async function addOperator(ctx: OperatorContext, name: string): Promise<string> {
  const command = { commandId: ctx.ids.next(), operator: SYSTEM_OPERATOR };
  const made = await createOperator(ctx, command, { name, token: makeToken() });
  if (!made.ok) throw new Error(made.refusal.code);
  return present(made.value.token, 'the token of a new operator');
}

/** `overDatabase` puts something between the service and its database, such as faults. */
export async function startOperatorService(
  options: ContextOptions & { readonly overDatabase?: (db: Database) => Database } = {},
) {
  const { db, url: databaseUrl } = await freshDatabase();
  const { ctx, moveClock } = contextOn(options.overDatabase?.(db) ?? db, options);
  const revokedKeys: string[] = [];
  const listener = await openListener(ctx, { onKeyRevoked: (key) => revokedKeys.push(key) });
  return { db, databaseUrl, ctx, moveClock, revokedKeys, ...listener };
}

function readyOn(db: Database): Readiness {
  const readiness = new Readiness(db);
  readiness.enter('running');
  return readiness;
}

/** The listener on a given context, with one operator. Closed when the test file ends. */
export async function openListener(
  ctx: OperatorContext,
  parts: Partial<Pick<OperatorServerOptions, 'metrics' | 'health' | 'takers' | 'onKeyRevoked' | 'addHealth'>> = {},
) {
  const token = await addOperator(ctx, 'ada');
  const app = buildOperatorServer({
    ctx,
    metrics: createMetrics({ process: false }),
    health: new HealthBoard({ names: ['sandbox'], clock: ctx.clock, rules: ctx.settings.providers }),
    takers: () => [],
    payinProviders: payinProvidersOf([]),
    addHealth: (listener) => healthRoutes(listener, readyOn(ctx.db)),
    settings: describeSettings(ctx.settings, new Map()),
    httpClient: new UndiciSender({ mode: 'sandbox' }),
    ...parts,
  });
  const url = await listenWithSharedChecks(app, 'operator');
  afterAll(async () => {
    await app.close();
    await ctx.commands.close();
  });

  async function call(method: string, path: string, body?: unknown, callOptions: CallOptions = {}): Promise<Answer> {
    const bearer = callOptions.token === undefined ? token : callOptions.token;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(callOptions.commandId === undefined ? {} : { 'command-id': callOptions.commandId }),
        ...callOptions.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }

  return { url, token, call };
}

type OperatorService = Awaited<ReturnType<typeof startOperatorService>>;

/** An account with nothing in it, for tests that count. */
export async function createPlainAccount({ call }: Pick<OperatorService, 'call'>, name = 'Acme'): Promise<string> {
  const answer = await call('POST', '/operator/accounts', { name });
  return textAt(answer.body, 'account', 'id');
}

/** Everything that the audit log has, newest first. */
export async function auditEntries({ call }: Pick<OperatorService, 'call'>, query = ''): Promise<Json[]> {
  const answer = await call('GET', `/operator/audit?limit=500${query}`);
  const entries = at(answer.body, 'entries');
  if (!Array.isArray(entries)) throw new Error(`no entries: ${JSON.stringify(answer.body)}`);
  return entries;
}
