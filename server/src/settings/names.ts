/**
 * The names of a setting. All follow from its key: `operator.port` is the flag `--operator-port`, the environment
 * variable `PAYFERRY_OPERATOR_PORT` and, in the program, `settings.operator.port`.
 */
import type { Setting } from './setting.ts';

export const ENV_PREFIX = 'PAYFERRY_';

/** Names the settings file itself, so it is not a setting: it cannot stand in that file. */
export const CONFIG_FLAG = '--config';
export const CONFIG_ENV = 'PAYFERRY_CONFIG';
export const CONFIG_FILE = 'payferry.toml';

export function envName(setting: Setting): string {
  return setting.env ?? `${ENV_PREFIX}${setting.key.replaceAll('.', '_').toUpperCase()}`;
}

export function flagName(setting: Setting): string {
  return setting.flag ?? `--${setting.key.replaceAll(/[._]/g, '-')}`;
}

/** The name under which the command line parser hands over a flag: `--operator-port` becomes `operatorPort`. */
export function flagAttribute(flag: string): string {
  return camelCase(flag.replace(/^--/, ''), '-');
}

/** The part of the key before the dot; empty for a setting that stands alone. */
export function groupOf(setting: Setting): string {
  const dot = setting.key.indexOf('.');
  return dot === -1 ? '' : setting.key.slice(0, dot);
}

/** The property within its group. Durations carry their unit: `statement_timeout` is `statementTimeoutMs`. */
export function propertyOf(setting: Setting): string {
  const name = camelCase(setting.key.slice(setting.key.indexOf('.') + 1), '_');
  return setting.kind === 'duration' ? `${name}Ms` : name;
}

function camelCase(text: string, separator: string): string {
  return text
    .split(separator)
    .map((word, index) => (index === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join('');
}
