/** Sets the sandbox's providers up: in sandbox mode only, since they say paid without paying. */
import type { ProviderParts } from '../provider-maker.ts';
import { SandboxProvider } from './provider.ts';

/** The first one has its name from the settings, because callers see it. */
const BACKUP_NAME = 'sandbox_backup';

export function makeSandbox(parts: ProviderParts): SandboxProvider | undefined {
  if (parts.settings.mode !== 'sandbox') return undefined;
  return new SandboxProvider({ name: parts.settings.sandbox.providerName, ...timesOf(parts) });
}

export function makeSandboxBackup(parts: ProviderParts): SandboxProvider | undefined {
  if (parts.settings.mode !== 'sandbox' || !parts.settings.sandbox.backupProvider) return undefined;
  return new SandboxProvider({ name: BACKUP_NAME, ...timesOf(parts), isBackup: true });
}

function timesOf({ settings, clock, sandboxLatencyMs }: ProviderParts) {
  return { clock, latencyMs: sandboxLatencyMs ?? (() => settings.sandbox.latencyMs) };
}
