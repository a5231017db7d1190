/**
 * Collects what flags, environment and settings file give for each setting, in order of rank, and refuses names that no
 * setting has. Nothing is checked for its form here.
 */
import { resolve } from 'node:path';
import { readSettingsFile } from './file.ts';
import { CONFIG_ENV, CONFIG_FILE, CONFIG_FLAG, ENV_PREFIX, envName, flagAttribute, flagName } from './names.ts';
import { readText } from './parse.ts';
import type { Setting } from './setting.ts';
import { suggest } from './suggest.ts';
import { SETTINGS } from './table.ts';

export interface SettingSources {
  /** As the command line parser gives them: by attribute (`operatorPort`), only those of settings and `config`. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The settings file, when the caller itself names one: goes before the flag and the environment variable. */
  readonly file?: string;
  /**
   * Where `payferry.toml` is looked for and where a relative file name starts. The current directory when not given.
   */
  readonly directory?: string;
}

/** Where a value comes from. The name is that of the flag, the environment variable or the file. */
export interface Origin {
  readonly from: 'flag' | 'env' | 'file' | 'default';
  readonly name: string;
}

export interface Given {
  readonly origin: Origin;
  readonly written: unknown;
}

export interface Gathered {
  /** By key, the highest rank first. */
  readonly given: ReadonlyMap<string, readonly Given[]>;
  readonly mistakes: readonly string[];
  /** False when a settings file is there but cannot be read: then what is not given may still be set in it. */
  readonly isComplete: boolean;
}

const BY_ATTRIBUTE = new Map(SETTINGS.map((setting) => [flagAttribute(flagName(setting)), setting]));
const BY_ENV = new Map(SETTINGS.map((setting) => [envName(setting), setting]));
const CONFIG_ATTRIBUTE = flagAttribute(CONFIG_FLAG);

export function gatherSettings(sources: SettingSources): Gathered {
  const given = new Map<string, Given[]>();
  const mistakes: string[] = [];
  const give = (setting: Setting, origin: Origin, written: unknown) => {
    given.set(setting.key, [...(given.get(setting.key) ?? []), { origin, written }]);
  };

  for (const [attribute, value] of Object.entries(sources.flags)) {
    if (value === undefined || attribute === CONFIG_ATTRIBUTE) continue;
    const setting = BY_ATTRIBUTE.get(attribute);
    if (setting === undefined) mistakes.push(unknownName('flag', attribute, [...BY_ATTRIBUTE.keys()]));
    else give(setting, { from: 'flag', name: flagName(setting) }, readGiven(setting, value));
  }

  for (const [name, value] of Object.entries(sources.env)) {
    if (value === undefined || value === '' || name === CONFIG_ENV) continue;
    const setting = BY_ENV.get(name);
    if (setting !== undefined) give(setting, { from: 'env', name }, readText(setting, value));
    else if (name.startsWith(ENV_PREFIX))
      mistakes.push(unknownName('environment variable', name, [...BY_ENV.keys(), CONFIG_ENV]));
  }

  const named = namedFile(sources);
  const name = named ?? CONFIG_FILE;
  const path = resolve(sources.directory ?? process.cwd(), name);
  const file = readSettingsFile({ path, name, mustExist: named !== undefined });
  mistakes.push(...file.mistakes);
  for (const setting of SETTINGS) {
    if (!file.written.has(setting.key)) continue;
    give(setting, { from: 'file', name }, file.written.get(setting.key));
  }
  return { given, mistakes, isComplete: file.isReadable };
}

function readGiven(setting: Setting, value: string | boolean): unknown {
  return typeof value === 'string' ? readText(setting, value) : value;
}

function namedFile(sources: SettingSources): string | undefined {
  const flag = sources.flags[CONFIG_ATTRIBUTE];
  const names = [sources.file, typeof flag === 'string' ? flag : undefined, sources.env[CONFIG_ENV]];
  return names.find((name) => name !== undefined && name !== '');
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = suggest(name, known);
  return `unknown ${what} ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
}
