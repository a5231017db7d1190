/** Each setting with its value and where that came from, for `payferry settings`. Secrets are never shown. */
import { formatDuration } from './duration.ts';
import type { Origins } from './load.ts';
import type { Setting, SettingValue } from './setting.ts';
import { type Settings, settingValue } from './shape.ts';
import type { Origin } from './sources.ts';
import { SETTINGS } from './table.ts';

export interface DescribedSetting {
  readonly key: string;
  /** As one would write it in a flag; `(set)` for a secret. Null: not set. */
  readonly value: string | null;
  readonly origin: Origin['from'];
  /** The flag, the environment variable or the file that gave the value. */
  readonly originName: string;
}

const MASK = '(set)';

export function describeSettings(settings: Settings, origins: Origins): readonly DescribedSetting[] {
  return SETTINGS.map((setting) => {
    const origin = origins.get(setting.key) ?? { from: 'default', name: 'default' };
    return {
      key: setting.key,
      value: formatSetting(setting, settingValue(settings, setting)),
      origin: origin.from,
      originName: origin.name,
    };
  });
}

export function formatSetting(setting: Setting, value: SettingValue): string | null {
  if (value === null) return null;
  if (setting.secret === true || value instanceof Uint8Array) return MASK;
  if (typeof value === 'number') return setting.kind === 'duration' ? formatDuration(value) : String(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.join(',');
  return Object.entries(value)
    .map(([name, text]) => `${name}=${text}`)
    .join(',');
}
