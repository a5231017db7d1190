/**
 * From what somebody wrote to the value that the program uses: one check per kind of setting. Text from a
 * flag or from the environment is first brought into the form that the settings file has.
 */
import { unreachable } from '../kernel/assert.ts';
import { parseDuration } from './duration.ts';
import type {
  ChoiceSetting,
  DurationSetting,
  KeySetting,
  ListSetting,
  MapSetting,
  PathSetting,
  Setting,
  SettingValue,
  TextMap,
  TextSetting,
  UrlSetting,
} from './setting.ts';

export const MAX_PORT = 65_535;
export const MAX_TEXT_LENGTH = 4_096;
export const MAX_ENTRIES = 1_000;
const KEY_BYTES = 32;

/** Reads text as the kind needs it. What cannot be read stays text, which the check of that kind then refuses. */
export function readText(setting: Setting, text: string): unknown {
  switch (setting.kind) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'integer':
    case 'port':
      return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
    case 'list':
      return text === '' ? [] : text.split(',').map((entry) => entry.trim());
    case 'map':
      return readPairs(text) ?? text;
    default:
      return text;
  }
}

/** Null: deliberately not set. Undefined: not what the setting expects. */
export function parseSetting(setting: Setting, written: unknown): SettingValue | undefined {
  if (written === '' && setting.default === null) return null;
  switch (setting.kind) {
    case 'boolean':
      return typeof written === 'boolean' ? written : undefined;
    case 'integer':
      return wholeNumber(written, setting.min, setting.max);
    case 'port':
      return wholeNumber(written, 0, MAX_PORT);
    case 'list':
      return parseList(setting, written);
    case 'map':
      return parseMap(setting, written);
    default:
      if (typeof written !== 'string' || written === '' || written.length > MAX_TEXT_LENGTH) return undefined;
      return parseText(setting, written);
  }
}

function parseText(
  setting: TextSetting | DurationSetting | UrlSetting | ChoiceSetting | PathSetting | KeySetting,
  text: string,
): string | number | Uint8Array | undefined {
  switch (setting.kind) {
    case 'string':
      return setting.pattern.test(text) ? text : undefined;
    case 'choice':
      return setting.choices.includes(text) ? text : undefined;
    case 'path':
      return text.includes('\0') ? undefined : text;
    case 'duration':
      return wholeNumber(parseDuration(text), parseDuration(setting.min) ?? 0, parseDuration(setting.max) ?? 0);
    case 'url':
      return parseUrl(setting, text);
    case 'key':
      return parseKey(text);
    default:
      return unreachable(setting);
  }
}

function wholeNumber(written: unknown, min: number, max: number): number | undefined {
  return typeof written === 'number' && Number.isInteger(written) && written >= min && written <= max
    ? written
    : undefined;
}

/** Kept as written, not as the URL class would write it: callers sign the address letter by letter. */
function parseUrl(setting: UrlSetting, text: string): string | undefined {
  const lower = text.toLowerCase();
  if (!setting.schemes.some((scheme) => lower.startsWith(`${scheme}://`))) return undefined;
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  if (setting.base !== true) return text;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) return undefined;
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}

function parseKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  return bytes?.length === KEY_BYTES ? bytes : undefined;
}

function parseList(setting: ListSetting, written: unknown): readonly string[] | undefined {
  if (!Array.isArray(written) || written.length > MAX_ENTRIES) return undefined;
  const entries = written.filter((entry) => isListed(setting, entry));
  return entries.length === written.length ? entries : undefined;
}

/** Whether it can be an entry of the list. */
export function isListed({ pattern }: ListSetting, entry: unknown): entry is string {
  return typeof entry === 'string' && entry.length <= MAX_TEXT_LENGTH && pattern.test(entry);
}

/** Dates are objects too, and TOML has them. */
export function isTable(written: unknown): written is object {
  return typeof written === 'object' && written !== null && !Array.isArray(written) && !(written instanceof Date);
}

function parseMap(setting: MapSetting, written: unknown): TextMap | undefined {
  if (!isTable(written)) return undefined;
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(written)) {
    if (!isMapped(setting, name, value)) return undefined;
    entries.push([name, value]);
  }
  return entries.length > MAX_ENTRIES ? undefined : Object.freeze(Object.fromEntries(entries));
}

/** Whether they can be an entry of the map. */
export function isMapped({ namePattern, valuePattern }: MapSetting, name: string, value: unknown): value is string {
  if (typeof value !== 'string' || name.length > MAX_TEXT_LENGTH || value.length > MAX_TEXT_LENGTH) return false;
  return namePattern.test(name) && valuePattern.test(value);
}

/** `USD/NGN=0.01,*=0`. A name that comes twice is refused: nobody could say which of the two holds. */
function readPairs(text: string): Record<string, string> | undefined {
  const pairs = new Map<string, string>();
  for (const entry of text === '' ? [] : text.split(',')) {
    const equals = entry.indexOf('=');
    const name = entry.slice(0, equals).trim();
    if (equals === -1 || pairs.has(name)) return undefined;
    pairs.set(name, entry.slice(equals + 1).trim());
  }
  return Object.fromEntries(pairs);
}
