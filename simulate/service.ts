/**
 * A process of the service, put together as compose/start-service.ts does it: the same routes, operations, workers and
 * housekeeping. Only what reaches outside is simulated: the database's connection, the clock, providers, receivers.
 */
import type { FastifyInstance } from 'fastify';
import { openCredentials } from '../server/src/accounts/credentials.ts';
import { sealWith } from '../server/src/accounts/seal.ts';
import { Closing } from '../server/src/compose/closing.ts';
import { every } from '../server/src/compose/every.ts';
import { HOUR_MS, type Hourly } from '../server/src/compose/hourly.ts';
import { keepInOrder } from '../server/src/compose/keep-in-order.ts';
import { openCatalogue } from '../server/src/compose/open-catalogue.ts';
import { openContext } from '../server/src/compose/open-context.ts';
import { followSwitches, openPayouts } from '../server/src/compose/open-payouts.ts';
import { senderWork } from '../server/src/compose/sender-work.ts';
import { buildApi } from '../server/src/compose/start-api.ts';
import { startWorkers } from '../server/src/compose/start-workers.ts';
import { webhookWork } from '../server/src/compose/webhook-work.ts';
import type { Catalogue } from '../server/src/corridors/catalogue.ts';
import { healthRoutes, Readiness } from '../server/src/http/health.ts';
import type { Clock } from '../server/src/kernel/clock.ts';
import type { Database } from '../server/src/kernel/database.ts';
import type { Log } from '../server/src/kernel/log.ts';
import { sampleRatesFile } from '../server/src/kernel/program-files.ts';
import type { Wake } from '../server/src/kernel/wake.ts';
import { createMetrics } from '../server/src/observability/metrics.ts';
import { operatorContext } from '../server/src/operator/command.ts';
import { buildOperatorServer } from '../server/src/operator/server.ts';
import type { PayinMaker } from '../server/src/providers/payin-registry.ts';
import type { ProviderMaker } from '../server/src/providers/provider-maker.ts';
import { fileRateSource } from '../server/src/rates/file-source.ts';
import type { RateSheet } from '../server/src/rates/sheet.ts';
import type { SenderScreening } from '../server/src/screening/sender-screening.ts';
import { loadSettings } from '../server/src/settings/load.ts';
import type { Settings } from '../server/src/settings/shape.ts';
import type { HttpSender } from '../server/src/webhooks/http-sender.ts';

/** Read from files once, before any process is sealed off. */
export interface Materials {
  readonly catalogue: Catalogue;
  readonly rates: RateSheet;
}

export async function readMaterials(): Promise<Materials> {
  return { catalogue: openCatalogue(settingsFor({})), rates: await fileRateSource(sampleRatesFile()).read() };
}

export function settingsFor(flags: Readonly<Record<string, string>>): Settings {
  const loaded = loadSettings({ flags, env: {}, directory: '/nonexistent' });
  if (!loaded.ok) throw new Error(loaded.mistakes.join('\n'));
  return loaded.settings;
}

interface ServiceParts {
  readonly materials: Materials;
  readonly settings: Settings;
  readonly db: Database;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly log: Log;
  readonly providers: readonly ProviderMaker[];
  readonly payinProviders: readonly PayinMaker[];
  readonly httpClient: HttpSender;
  readonly lists: SenderScreening;
}

export interface SimulatedService {
  readonly api: FastifyInstance;
  readonly operators: FastifyInstance;
}

/** Every process opens the same seal: the key is the operator's, not the process's. */
export const simulatedSeal = sealWith(Buffer.alloc(32, 'simulation'));

/** By the hour from the start on, without chance: what a seed did before it does again. */
const hourly: Hourly = (turn, onFault) => every(HOUR_MS, turn, onFault);

export async function startProcess(parts: ServiceParts): Promise<SimulatedService> {
  const { httpClient } = parts;
  // Nothing is ever closed in order: a simulated process ends by a crash.
  const closing = new Closing();
  const { settings, db, clock, wake, log, materials } = parts;
  const ctx = await openContext({
    settings,
    db,
    clock,
    wake,
    log,
    catalogue: materials.catalogue,
    metrics: createMetrics({ process: false }),
    seal: simulatedSeal,
    rateSource: { read: async () => materials.rates },
  });
  const time = { clock: ctx.clock, moving: undefined, whyNot: async () => undefined, close: async () => undefined };
  await keepInOrder(ctx, { closing, time, hourly });
  const credentials = openCredentials(ctx);
  const { outgoing, works } = webhookWork(ctx, httpClient);
  const { providers: makers, payinProviders: payinMakers } = parts;
  const payouts = openPayouts(ctx, { outgoing, makers, payinMakers });
  await followSwitches(ctx, payouts.health);
  startWorkers(ctx, [payouts.work, ...works, ...senderWork(ctx, parts.lists)]);
  const readiness = new Readiness(ctx.db);
  const api = buildApi(ctx, { credentials, payouts, outgoing, closing, time, readiness, hourly });
  const operators = buildOperatorServer({
    ctx: operatorContext(ctx),
    metrics: ctx.metrics,
    settings: [],
    health: payouts.health,
    takers: payouts.work.takers,
    payinProviders: payouts.payins.providers,
    addHealth: (listener) => healthRoutes(listener, readiness),
    onKeyRevoked: credentials.forget,
    httpClient,
  });
  await readyWithKnown('api', api);
  await readyWithKnown('operators', operators);
  readiness.enter('running');
  return { api, operators };
}

type Validators = NonNullable<FastifyInstance['validatorCompiler']>;
/** By listener. */
const known = new Map<string, Validators>();

/** Every process has the same routes: what their schemas are compiled to by the first one serves the others too. */
async function readyWithKnown(name: string, server: FastifyInstance): Promise<void> {
  const validators = known.get(name);
  if (validators) server.setValidatorCompiler(validators);
  await server.ready();
  if (validators === undefined && server.validatorCompiler) known.set(name, remembering(server.validatorCompiler));
}

function remembering(compile: Validators): Validators {
  const compiled = new Map<string, ReturnType<Validators>>();
  return (route) => {
    const text = JSON.stringify(route.schema);
    const validate = compiled.get(text) ?? compile(route);
    compiled.set(text, validate);
    return validate;
  };
}
