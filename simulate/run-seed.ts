/** Runs one seed: the world is put together, lives its time, comes to rest, and is looked at. */
import { checkAtEnd, checkOften, openInvariants } from './invariants/all.ts';
import { SimulatedPayinProvider } from './outside/payin-provider.ts';
import { SimulatedProvider } from './outside/provider.ts';
import type { Plan } from './plan.ts';
import { begin, reviveAll } from './processes.ts';
import { comeToRest } from './rest.ts';
import { sealProcess, stopwatchMs } from './sealed/seal-process.ts';
import { settingsFor } from './service.ts';
import { openStage, registerWebhooks } from './stage.ts';
import { Stepper } from './stepper.ts';
import type { Trace } from './trace.ts';
import type { Workshop } from './workshop.ts';
import { type Counts, START, type Violation, World } from './world.ts';

export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly trace: Trace;
  readonly hash: string;
  readonly counts: Counts;
  readonly simulatedMs: number;
  /** On the real clock, from the first call of the plan to the last: neither the start nor the end is in it. */
  readonly plannedTookMs: number;
  readonly statements: number;
  readonly steps: number;
}

const SECOND_MS = 1_000;
/** Far more than any seed needs: one that gets here goes in circles. */
const MAX_STEPS = 3_000_000;
/** So many steps between two looks at everything that can be looked at at any time, and as many again for each so many
 * transactions: a look costs as much as there is to see, and a month has to be looked at as well. */
const CHECK_EVERY_STEPS = 400;
const CHECK_TRANSACTIONS = 60;

export async function runSeed({ engine, materials }: Workshop, plan: Plan): Promise<SeedResult> {
  const statementsBefore = engine.statements;
  const settings = settingsFor(plan.flags);
  engine.asksForSets = settings.database.oneTenantBatches;
  const world = new World({ seed: plan.seed, engine, materials, settings });
  const open = sealProcess(world.time, world.chance.of('program'));
  try {
    engine.clear();
    const stepper = new Stepper(world);
    const plannedTookMs = await live(world, plan, stepper);
    return {
      seed: plan.seed,
      violations: world.violations,
      trace: world.trace,
      hash: world.trace.hash(),
      counts: world.counts,
      simulatedMs: world.time.nowMs - START.getTime(),
      plannedTookMs,
      statements: engine.statements - statementsBefore,
      steps: stepper.steps,
    };
  } finally {
    for (const process of [...world.starting, ...world.running.map((each) => each.process)]) process.die();
    // What they had begun is rolled back before another world begins on the same database.
    await world.host.idle();
    // Node follows every store that was opened through every promise, until it is told to stop.
    world.time.owners.disable();
    open();
  }
}

/** At a moment at which nothing is under way in the database. */
async function look(world: World, stepper: Stepper, check: () => void): Promise<void> {
  await stepper.settle();
  check();
  world.host.activity += 1;
}

/** Gives how long the planned time took. */
async function live(world: World, plan: Plan, stepper: Stepper): Promise<number> {
  const invariants = openInvariants(world);
  const stage = await openStage(world, plan.tenants);
  for (const { name, temper } of plan.providers) world.providers.push(new SimulatedProvider(world, name, temper));
  for (const { name, temper } of plan.payinProviders) {
    world.payinProviders.push(new SimulatedPayinProvider(world, name, temper));
  }
  let isReady = false;
  world.spawn('start', async () => {
    world.deadlyStarts.push(...plan.deadlyStarts);
    for (const name of plan.processes) await begin(world, name);
    // Whoever has died of its start comes again.
    while (world.running.length < plan.processes.length) await world.sleep(SECOND_MS);
    for (const tenant of stage.tenants) await registerWebhooks(stage, tenant);
    isReady = true;
  });
  let checkAt = CHECK_EVERY_STEPS;
  const checkNow = async () => {
    await look(world, stepper, () => checkOften(invariants, stage));
    checkAt = stepper.steps + CHECK_EVERY_STEPS * (1 + Math.floor(world.counts.transactions / CHECK_TRANSACTIONS));
  };
  const go = async (until: () => boolean) => {
    while (!until() && world.violations.length === 0) {
      if (!(await stepper.step())) return;
      if (stepper.steps >= checkAt) await checkNow();
      if (stepper.steps > MAX_STEPS) world.violate('the simulation runs', 'it does not come to an end');
    }
  };
  await go(() => isReady);
  const beganAtMs = stopwatchMs();
  world.networkLossPercent = plan.networkLossPercent;
  for (const happening of plan.happenings) world.after(happening.atMs, () => happening.start(stage));
  await go(() => world.time.nowMs - START.getTime() >= plan.forMs && world.tasks === 0);
  const plannedTookMs = stopwatchMs() - beganAtMs;
  await comeToRest(stage, go, () => reviveAll(world));
  if (world.violations.length === 0) await look(world, stepper, () => checkAtEnd(invariants, stage));
  return plannedTookMs;
}
