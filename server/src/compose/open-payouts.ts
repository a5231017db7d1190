/**
 * The payout engine with its providers, as one process has it. Processes that only answer calls have it as well: they
 * take callbacks and show providers, and never run its loop.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountChecker } from '../account-checks/checker.ts';
import { openAccountCheck } from '../account-checks/registry.ts';
import type { Context } from '../context.ts';
import type { MovingClock } from '../kernel/moving-clock.ts';
import { ProviderCaller } from '../providers/caller.ts';
import { openDoubtLog } from '../providers/doubt-log.ts';
import { HealthBoard } from '../providers/health-board.ts';
import { PayinCaller } from '../providers/payin-caller.ts';
import { openPayinProviders, type PayinMaker } from '../providers/payin-registry.ts';
import type { ProviderMaker } from '../providers/provider-maker.ts';
import { openProviders, type Providers } from '../providers/registry.ts';
import { SwitchFollower } from '../providers/switches.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import { PayinWork } from '../workers/payins.ts';
import { TransactionWork } from '../workers/transactions.ts';
import { every } from './every.ts';

export interface Payouts {
  readonly work: TransactionWork;
  readonly payins: PayinWork;
  readonly providers: Providers;
  readonly health: HealthBoard;
  /** Looks accounts up, for payouts and for callers. */
  readonly checker: AccountChecker;
}

/** How long it takes at most until a process does what an operator said to another one. */
const READ_SWITCHES_EVERY_MS = 2_000;

interface PayoutsAround {
  readonly moving?: MovingClock | undefined;
  /** In a process that also delivers webhooks. */
  readonly outgoing?: Outgoing | undefined;
  /** Those of the registry, unless others are given. */
  readonly makers?: readonly ProviderMaker[];
  readonly payinMakers?: readonly PayinMaker[];
}

export function openPayouts(ctx: Context, { moving, outgoing, makers, payinMakers }: PayoutsAround): Payouts {
  const { settings, clock, metrics } = ctx;
  // While the clock is moved nobody waits for simulated answers.
  const sandboxLatencyMs = () => (moving?.position.isTravelling === true ? 0 : settings.sandbox.latencyMs);
  const parts = { settings, clock, sandboxLatencyMs };
  const providers = openProviders(parts, makers);
  const names = providers.all().map((provider) => provider.name);
  const health = new HealthBoard({ names, clock, rules: settings.providers });
  health.showIn(metrics);
  const caller = new ProviderCaller({
    timeoutMs: settings.providers.callTimeoutMs,
    maxCalls: settings.providers.maxCalls,
    metrics,
    health,
    tellDoubt: openDoubtLog(ctx.log),
  });
  const pause = (delayMs: number) => sleep(delayMs);
  const check = openAccountCheck(parts);
  const checker = new AccountChecker({ ctx, check, pause });
  const { callTimeoutMs: timeoutMs, maxCalls, pauseAfter: silentAfter } = settings.providers;
  const payinProviders = openPayinProviders(parts, payinMakers);
  const payinNames = payinProviders.all().map((provider) => provider.name);
  const payinCaller = new PayinCaller({ timeoutMs, maxCalls, metrics, names: payinNames, silentAfter });
  const payins = new PayinWork({ ctx, providers: payinProviders, caller: payinCaller, pause });
  const work = new TransactionWork({ ctx, providers, health, caller, checker, payins, pause, outgoing });
  return { work, payins, providers, health, checker };
}

/** Does what operators have said before, and from now on what they say. Returns what ends that. */
export async function followSwitches(ctx: Context, health: HealthBoard): Promise<() => Promise<void>> {
  const follower = new SwitchFollower(health);
  const turns = ctx.log.turnsOf('switches of providers');
  const follow = turns.follow(() => follower.follow(ctx.db));
  // Before the first order: a provider that an operator holds gets none from a process that has just started.
  await follower.follow(ctx.db);
  const forget = ctx.wake.on('providers', () => void follow().catch(turns.failed));
  const stop = every(READ_SWITCHES_EVERY_MS, follow, turns.failed);
  return async () => {
    forget();
    await stop();
  };
}
