/** The payout engine with its providers, as one process runs it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { MovingClock } from '../kernel/moving-clock.ts';
import { ProviderCaller } from '../providers/caller.ts';
import { HealthBoard } from '../providers/health-board.ts';
import { openProviders } from '../providers/registry.ts';
import { PayoutWork } from '../workers/payouts.ts';

export function openPayouts(ctx: Context, moving: MovingClock | undefined): PayoutWork {
  const { settings, clock, metrics } = ctx;
  const providers = openProviders({
    settings,
    clock,
    // While the clock is moved nobody waits for simulated answers.
    sandboxLatencyMs: () => (moving?.position.isTravelling === true ? 0 : settings.sandbox.latencyMs),
  });
  const names = providers.all().map((provider) => provider.name);
  const health = new HealthBoard({ names, clock, rules: settings.providers });
  health.showIn(metrics);
  const caller = new ProviderCaller({
    timeoutMs: settings.providers.callTimeoutMs,
    maxCalls: settings.providers.maxCalls,
    metrics,
    health,
  });
  return new PayoutWork({ ctx, providers, health, caller, pause: (delayMs) => sleep(delayMs) });
}
