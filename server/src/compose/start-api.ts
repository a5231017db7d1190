/** The listener that callers reach, with everything that answers them. */
import type { openCredentials } from '../accounts/credentials.ts';
import { openApiLogWriter } from '../api-logs/writer.ts';
import type { Context } from '../context.ts';
import { apiRoutes } from '../http/api-routes.ts';
import type { Readiness } from '../http/health.ts';
import { limitCalls } from '../http/limit-calls.ts';
import { recordCalls } from '../http/record-calls.ts';
import { buildServer } from '../http/server.ts';
import { SoftLimits, SYNC_EVERY_MS } from '../soft-limits/counter.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import type { Closing } from './closing.ts';
import { every } from './every.ts';
import { type Hourly, soonThenHourly } from './hourly.ts';
import { listen } from './listen.ts';
import type { OpenClock } from './open-clock.ts';
import type { Payouts } from './open-payouts.ts';
import { openOperations } from './operations.ts';
import { travelBy } from './travel-by.ts';

interface ApiParts {
  readonly credentials: ReturnType<typeof openCredentials>;
  readonly payouts: Payouts;
  /** Who sends webhooks, where this process does. */
  readonly outgoing: Outgoing | undefined;
  readonly closing: Closing;
  readonly time: OpenClock;
  readonly readiness: Readiness;
  /** The simulation has its own. */
  readonly hourly?: Hourly;
}

/** Everything but the port: the simulation calls it without one. */
export function buildApi(ctx: Context, parts: ApiParts) {
  const { credentials, payouts, outgoing, closing, time, readiness, hourly = soonThenHourly() } = parts;
  const operations = openOperations(ctx, outgoing);
  const apiLogs = openApiLogWriter(ctx);
  const softLimits = keepSoftLimits(ctx, closing, hourly);
  const server = buildServer(ctx, {
    credentials,
    readiness,
    routes: [
      recordCalls(ctx, apiLogs),
      limitCalls(ctx, softLimits),
      ...apiRoutes(ctx, {
        ...operations,
        sandbox: { ...operations.sandbox, travel: travelBy(ctx, time.moving) },
        accountChecks: payouts.checker,
        callbacks: {
          provider: payouts.providers.named,
          record: payouts.work.record,
          payinProvider: payouts.payins.providers.named,
          recordPayin: payouts.payins.record,
        },
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
  return server;
}

export async function startApi(ctx: Context, parts: ApiParts) {
  const server = buildApi(ctx, parts);
  const listeningAt = await listen(server, ctx.settings, '--port');
  return { url: ctx.settings.publicUrl ?? listeningAt };
}

/** Counted by the processes that answer calls, and told to the others every few seconds. */
function keepSoftLimits(ctx: Context, closing: Closing, hourly: Hourly): SoftLimits {
  const softLimits = new SoftLimits(ctx);
  const turns = ctx.log.turnsOf('soft limits');
  // Closed in the opposite order: what was counted last is told once the turns have stopped.
  closing.add('soft limits', () => softLimits.sync().catch(turns.failed));
  closing.add(
    'turns of soft limits',
    every(
      SYNC_EVERY_MS,
      turns.follow(() => softLimits.sync()),
      turns.failed,
    ),
  );
  closing.add(
    'old soft limits',
    hourly(() => softLimits.dropOld(), ctx.log.turnsOf('old soft limits').failed),
  );
  return softLimits;
}
