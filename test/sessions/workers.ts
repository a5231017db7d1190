/** Turns of the production workers, in a session or, once a schedule has ended, without one. */
import type { Context } from '../../server/src/context.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { readAgenda } from '../../server/src/transactions/travel-store.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import type { TestContext } from '../support/app.ts';
import { answered, scriptedClient } from '../support/deliveries.ts';
import { openEngine } from '../support/engine.ts';
import { NOON } from '../support/manual-clock.ts';
import type { Scene } from './scene.ts';

/** Its own metrics: a process has one engine, and here are several. */
export function engineOn(ctx: TestContext, { provider, payer }: Pick<Scene, 'provider' | 'payer'>) {
  const metrics = createMetrics({ process: false });
  return openEngine({ ...ctx, metrics }, [provider], undefined, [payer]);
}

const HOUR_MS = 3_600_000;

/** To the time at which a worker has something to do, if that is before collections would expire. */
export async function waitForWork({ db, clock }: TestContext): Promise<void> {
  const { nextAt } = await readAgenda(db);
  if (nextAt !== null && nextAt.getTime() < NOON.getTime() + HOUR_MS) clock.set(nextAt);
}

export async function work(ctx: TestContext, scene: Scene): Promise<void> {
  const engine = engineOn(ctx, scene);
  await engine.work.turn();
  await engine.close();
}

export async function deliver(ctx: Context, { attempts }: Pick<Scene, 'attempts'>): Promise<void> {
  // Every third request fails, whoever makes it.
  const httpClient = scriptedClient(() => answered((attempts.length + 1) % 3 === 0 ? 500 : 200));
  const observe = (attempt: Scene['attempts'][number]) => void attempts.push(attempt);
  const deliveries = new Deliveries(ctx, { httpClient, chance: () => 0, observe });
  await deliveries.turn();
  await deliveries.idle();
  await deliveries.settle();
}
