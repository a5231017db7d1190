/**
 * Sets the bridge up where the settings name its address and secret. Signatures go by the time of the world: a bridge
 * stands outside, and does not follow the clock of the sandbox when that is moved. Open point OP-245.
 */
import { systemClock } from '../../kernel/clock.ts';
import type { ProviderParts } from '../provider-maker.ts';
import { BridgeProvider } from './provider.ts';

export function makeBridge({ settings }: Pick<ProviderParts, 'settings'>): BridgeProvider | undefined {
  const { url, secret, name } = settings.bridge;
  return url === null || secret === null ? undefined : new BridgeProvider({ name, url, secret, clock: systemClock });
}
