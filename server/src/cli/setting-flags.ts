/** The flags of the settings on a command, and the settings that come of them. For commands that work without the operator API. */
import { type Command, Option } from 'commander';
import { settingFlags } from '../settings/flags.ts';
import { loadSettings, type Origins } from '../settings/load.ts';
import type { Settings } from '../settings/shape.ts';
import { type Environment, settingsEnvironment } from './environment.ts';
import { CliFailure } from './failure.ts';

export function addSettingFlags(command: Command): void {
  for (const { flags, description, group } of settingFlags()) {
    command.addOption(new Option(flags, description).helpGroup(`${group}:`));
  }
}

/** Every mistake is told at once. `options` may hold other flags of the command; those are passed over. */
export function settingsOf(
  options: Readonly<Record<string, unknown>>,
  env: Environment = process.env,
): { readonly settings: Settings; readonly origins: Origins } {
  const flags: Record<string, string | boolean> = {};
  for (const { attribute } of settingFlags()) {
    const value = options[attribute];
    if (typeof value === 'string' || typeof value === 'boolean') flags[attribute] = value;
  }
  const loaded = loadSettings({ flags, env: settingsEnvironment(env) });
  if (!loaded.ok) throw new CliFailure(`the settings have mistakes:\n  ${loaded.mistakes.join('\n  ')}`);
  return loaded;
}
