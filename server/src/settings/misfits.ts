/** Which entries of a list or a map do not fit: of a long one a complaint shows the beginning alone. */
import { isListed, isMapped, isTable } from './parse.ts';
import type { Setting } from './setting.ts';

/** As they were written. None where the whole is of another form, or only too long. */
export function misfitsIn(setting: Setting, written: unknown): string[] {
  if (setting.kind === 'list') {
    return Array.isArray(written) ? written.filter((entry) => !isListed(setting, entry)).map(text) : [];
  }
  if (setting.kind !== 'map') return [];
  if (typeof written === 'string') return unreadablePairs(written);
  if (!isTable(written)) return [];
  return Object.entries(written)
    .filter(([name, value]) => !isMapped(setting, name, value))
    .map(([name, value]) => `${name}=${text(value)}`);
}

/** Text that could not be read as pairs at all: what is no pair, and names that come again. */
function unreadablePairs(written: string): string[] {
  const names = new Set<string>();
  return written
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => {
      const equals = entry.indexOf('=');
      const name = entry.slice(0, equals).trim();
      const isUnreadable = equals === -1 || names.has(name);
      names.add(name);
      return isUnreadable;
    });
}

function text(value: unknown): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}
