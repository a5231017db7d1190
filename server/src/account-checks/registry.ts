/**
 * Who is asked about accounts: the bridge where the settings say so, the sandbox's register in the sandbox, or nobody.
 */
import { systemClock } from '../kernel/clock.ts';
import { BridgeClient } from '../providers/bridge/client.ts';
import type { Settings } from '../settings/shape.ts';
import type { AccountCheck } from './account-check.ts';
import { BridgeAccountCheck } from './bridge/check.ts';
import { SandboxAccountCheck } from './sandbox/check.ts';

export interface CheckParts {
  readonly settings: Settings;
  /** In place of the setting: zero while the clock is moved, and in tests. */
  readonly sandboxLatencyMs: () => number;
}

export function openAccountCheck({ settings, sandboxLatencyMs }: CheckParts): AccountCheck | undefined {
  const { url, secret, name } = settings.bridge;
  if (settings.validation.bridge && url !== null && secret !== null) {
    // As orders to it are: by the time of the world.
    return new BridgeAccountCheck(name, new BridgeClient({ url, secret }, systemClock));
  }
  return settings.mode === 'sandbox' ? new SandboxAccountCheck(sandboxLatencyMs) : undefined;
}
