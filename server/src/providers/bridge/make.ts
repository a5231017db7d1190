/** Sets the bridge up where the settings name its address and secret. */
import type { ProviderParts } from '../provider-maker.ts';
import { BridgeProvider } from './provider.ts';

export function makeBridge({ settings, clock }: ProviderParts): BridgeProvider | undefined {
  const { url, secret, name } = settings.bridge;
  return url === null || secret === null ? undefined : new BridgeProvider({ name, url, secret, clock });
}
