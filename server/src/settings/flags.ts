/** The flags of the settings as plain data, for the command that registers them with the command line parser. */
import { formatSetting } from './describe.ts';
import { defaultOf } from './load.ts';
import { CONFIG_ENV, CONFIG_FILE, CONFIG_FLAG, flagAttribute, flagName, groupOf } from './names.ts';
import type { Setting } from './setting.ts';
import { GROUPS, SETTINGS } from './table.ts';

interface FlagDefinition {
  /** `--operator-port <port>`. An argument in brackets may be left out: `--trust-proxy` alone means true. */
  readonly flags: string;
  /** The name under which loadSettings expects the flag's value. */
  readonly attribute: string;
  readonly description: string;
  /** The heading under which the help lists the flag. */
  readonly group: string;
}

const ARGUMENTS: Readonly<Record<Setting['kind'], string>> = {
  string: '<text>',
  integer: '<number>',
  port: '<port>',
  boolean: '[true|false]',
  duration: '<duration>',
  url: '<url>',
  choice: '<choice>',
  path: '<path>',
  key: '<key>',
  list: '<a,b,...>',
  map: '<name=value,...>',
};

export function settingFlags(): readonly FlagDefinition[] {
  const config: FlagDefinition = {
    flags: `${CONFIG_FLAG} <file>`,
    attribute: flagAttribute(CONFIG_FLAG),
    description: `The settings file (default: ${CONFIG_FILE} in the current directory, when there is one; or ${CONFIG_ENV}).`,
    group: GROUPS[''] ?? '',
  };
  return [config, ...SETTINGS.map(settingFlag)];
}

/** The default is only told, never registered: a registered one would count as a flag and outrank everything. */
function settingFlag(setting: Setting): FlagDefinition {
  const flag = flagName(setting);
  const argument = setting.kind === 'choice' ? `<${setting.choices.join('|')}>` : ARGUMENTS[setting.kind];
  const byDefault = formatSetting(setting, defaultOf(setting, 'sandbox'));
  return {
    flags: `${flag} ${argument}`,
    attribute: flagAttribute(flag),
    description: `${setting.description}${byDefault === null ? '' : ` (default: ${byDefault})`}`,
    group: GROUPS[groupOf(setting)] ?? '',
  };
}
