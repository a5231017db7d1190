/**
 * The flags of the settings on a command, and the settings that come of them. For commands that work without the
 * operator API.
 */
import { type Command, Option } from 'commander';
import { settingFlags } from '../settings/flags.ts';
import { loadDataDirectory, loadSettings, type Origins } from '../settings/load.ts';
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
  if (!loaded.ok) throw mistaken(loaded.mistakes);
  return loaded;
}

/** The data directory that environment and file name, whatever else is in them. */
export function dataOfSettings(): string {
  const loaded = loadDataDirectory({ flags: {}, env: settingsEnvironment(process.env) });
  if (!loaded.ok) throw mistaken(loaded.mistakes);
  return loaded.data;
}

function mistaken(mistakes: readonly string[]): CliFailure {
  return new CliFailure(`the settings have mistakes:\n  ${mistakes.join('\n  ')}`);
}
