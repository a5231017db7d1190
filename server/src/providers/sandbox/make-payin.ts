/** Sets the sandbox's payin provider up: in sandbox mode only, since it says paid although nobody paid. */
import type { ProviderParts } from '../provider-maker.ts';
import { SandboxPayinProvider } from './payin.ts';

export function makePayinSandbox({
  settings,
  clock,
  sandboxLatencyMs,
}: ProviderParts): SandboxPayinProvider | undefined {
  if (settings.mode !== 'sandbox') return undefined;
  const latencyMs = sandboxLatencyMs ?? (() => settings.sandbox.latencyMs);
  return new SandboxPayinProvider({ name: settings.sandbox.providerName, clock, latencyMs });
}
