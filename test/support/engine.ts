/**
 * The payout engine of a test: real claims, calls and records, run when the test says so and finished when it returns.
 * Nothing happens in between, so a test sees every state. The sandbox's providers answer at once.
 */
import type { AccountCheck } from '../../server/src/account-checks/account-check.ts';
import { AccountChecker } from '../../server/src/account-checks/checker.ts';
import { openAccountCheck } from '../../server/src/account-checks/registry.ts';
import type { Context } from '../../server/src/context.ts';
import { ProviderCaller } from '../../server/src/providers/caller.ts';
import { HealthBoard } from '../../server/src/providers/health-board.ts';
import { PayinCaller } from '../../server/src/providers/payin-caller.ts';
import type { PayinProvider } from '../../server/src/providers/payin-provider.ts';
import { openPayinProviders, payinProvidersOf } from '../../server/src/providers/payin-registry.ts';
import type { PayoutProvider } from '../../server/src/providers/payout-provider.ts';
import { openProviders, type Providers } from '../../server/src/providers/registry.ts';
import type { ClaimWish } from '../../server/src/transactions/claim-due.ts';
import { readAgenda } from '../../server/src/transactions/travel-store.ts';
import { PayinWork } from '../../server/src/workers/payins.ts';
import { TransactionWork } from '../../server/src/workers/transactions.ts';
import type { ManualClock } from './manual-clock.ts';

export interface Engine {
  readonly work: TransactionWork;
  readonly payins: PayinWork;
  readonly health: HealthBoard;
  readonly providers: Providers;
  readonly checker: AccountChecker;
  /** Does everything that is due now, until nothing is. */
  run(): Promise<void>;
  /** Goes from due time to due time, and does everything on the way. */
  travel(byMs: number): Promise<void>;
  close(): Promise<void>;
}

/** More than any test needs; a loop that never ends is a fault. */
const MAX_TURNS = 10_000;

export function openEngine(
  ctx: Context & { readonly clock: ManualClock },
  scripted?: readonly PayoutProvider[],
  scriptedCheck?: AccountCheck,
  scriptedPayins?: readonly PayinProvider[],
): Engine {
  const providers = scripted ? fixed(scripted) : openProviders({ ...ctx, sandboxLatencyMs: () => 0 });
  const names = providers.all().map((provider) => provider.name);
  const health = new HealthBoard({ names, clock: ctx.clock, rules: ctx.settings.providers });
  const { callTimeoutMs: timeoutMs, maxCalls } = ctx.settings.providers;
  const caller = new ProviderCaller({ timeoutMs, maxCalls, metrics: ctx.metrics, health });
  const pause = async () => undefined;
  const check = scriptedCheck ?? openAccountCheck({ ...ctx, sandboxLatencyMs: () => 0 });
  const checker = new AccountChecker({ ctx, check, pause });
  const payinProviders = scriptedPayins
    ? payinProvidersOf(scriptedPayins)
    : openPayinProviders({ ...ctx, sandboxLatencyMs: () => 0 });
  const payinNames = payinProviders.all().map((provider) => provider.name);
  const payinLanes = { timeoutMs, maxCalls, silentAfter: ctx.settings.providers.pauseAfter };
  const payinCaller = new PayinCaller({ ...payinLanes, metrics: ctx.metrics, names: payinNames });
  const payins = new PayinWork({ ctx, providers: payinProviders, caller: payinCaller, pause });
  const work = new TransactionWork({ ctx, providers, health, caller, checker, payins, pause });

  /** Gives when there is something to do next. */
  const runOut = async () => {
    for (let turns = 0; turns < MAX_TURNS; turns += 1) {
      await work.turn();
      await work.idle();
      const { nextAt, isBusy } = await readAgenda(ctx.db);
      if (!isBusy && (nextAt === null || nextAt > ctx.clock.now())) return nextAt;
    }
    throw new Error('the work does not come to an end');
  };
  return {
    work,
    payins,
    health,
    providers,
    checker,
    run: async () => void (await runOut()),
    travel: async (byMs) => {
      const target = ctx.clock.now().getTime() + byMs;
      for (let nextAt = await runOut(); nextAt !== null && nextAt.getTime() <= target; nextAt = await runOut()) {
        ctx.clock.set(nextAt);
      }
      ctx.clock.set(new Date(target));
      await runOut();
    },
    close: async () => {
      await work.close();
      await checker.close();
    },
  };
}

function fixed(all: readonly PayoutProvider[]): Providers {
  return {
    all: () => all,
    providersFor: () => all,
    named: (name) => all.find((provider) => provider.name === name),
    close: async () => undefined,
  };
}

/** A claim of all that is due, as a worker would make it that has no other provider. */
export function allFor(provider: string, { mayAsk = true } = {}): ClaimWish {
  const choose = () => ({ provider });
  const asking = { choose, mayAsk: () => mayAsk };
  const collecting = { ...asking, mayCancel: () => true };
  return { limit: 100, provide: () => ({ ...asking, mayCheck: () => true, collecting, keep: () => undefined }) };
}
