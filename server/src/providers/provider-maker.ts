/** How a provider is set up: from the settings, or not at all. */
import type { Clock } from '../kernel/clock.ts';
import type { Settings } from '../settings/shape.ts';
import type { PayoutProvider } from './payout-provider.ts';

export interface ProviderParts {
  readonly settings: Settings;
  readonly clock: Clock;
  /** In place of the setting: zero while the clock is moved, and in tests. */
  readonly sandboxLatencyMs?: () => number;
}

/** Undefined: the settings do not set it up. */
export type ProviderMaker = (parts: ProviderParts) => PayoutProvider | undefined;
