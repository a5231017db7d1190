/**
 * Loads the settings: flags over environment over settings file over defaults. Everything that is wrong is found in one
 * go, also in a value that another one outranks, so that a start fails at most once over its settings.
 */
import { assert } from '../kernel/assert.ts';
import { expectation } from './expectation.ts';
import { misfitsIn } from './misfits.ts';
import { parseSetting } from './parse.ts';
import type { Mode, Rule, Setting, SettingValue } from './setting.ts';
import { nestSettings, type Settings } from './shape.ts';
import { type Gathered, type Given, gatherSettings, type Origin, type SettingSources } from './sources.ts';
import { SETTINGS } from './table.ts';

export type { SettingSources } from './sources.ts';

/** Where the value of each setting comes from, by key. */
export type Origins = ReadonlyMap<string, Origin>;

export type LoadedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly origins: Origins }
  | { readonly ok: false; readonly mistakes: readonly string[] };

const MAX_SHOWN_LENGTH = 80;
/** Of one list or map. */
const MAX_MISFITS = 5;

interface Resolved {
  readonly value: SettingValue;
  readonly origin: Origin;
  readonly mistakes: readonly string[];
  /** The value is only the default that stands in for a mistaken one. */
  readonly isMistaken: boolean;
}

export function loadSettings(sources: SettingSources): LoadedSettings {
  const gathered = gatherSettings(sources);
  const mode = decideMode(gathered);
  const resolved = new Map(SETTINGS.map((setting) => [setting.key, resolve(setting, gathered, mode)]));
  const mistakes = [
    ...gathered.mistakes,
    ...[...resolved.values()].flatMap((one) => one.mistakes),
    ...(gathered.isComplete ? breaches(resolved, mode) : []),
  ];
  if (mistakes.length > 0) return { ok: false, mistakes };
  return {
    ok: true,
    settings: nestSettings(new Map([...resolved].map(([key, one]) => [key, one.value]))),
    origins: new Map([...resolved].map(([key, one]) => [key, one.origin])),
  };
}

/**
 * The data directory alone, for the commands that find a service by it. Whoever runs them need not have the secrets
 * that the other settings ask for, so nothing else has to be right.
 */
export function loadDataDirectory(
  sources: SettingSources,
): { readonly ok: true; readonly data: string } | { readonly ok: false; readonly mistakes: readonly string[] } {
  const gathered = gatherSettings(sources);
  const { value, origin, isMistaken, mistakes } = resolve(settingOf('data'), gathered, 'sandbox');
  if (isMistaken) return { ok: false, mistakes };
  // The file that cannot be read may name another one.
  if (origin.from === 'default' && !gathered.isComplete) return { ok: false, mistakes: gathered.mistakes };
  assert(typeof value === 'string', 'the data directory is a path');
  return { ok: true, data: value };
}

function settingOf(key: string): Setting {
  const setting = SETTINGS.find((each) => each.key === key);
  assert(setting !== undefined, `the table has ${key}`);
  return setting;
}

/** The mode comes first, because defaults depend on it. A mistaken mode is reported and then taken as sandbox. */
function decideMode(gathered: Gathered): Mode {
  return resolve(settingOf('mode'), gathered, 'sandbox').value === 'live' ? 'live' : 'sandbox';
}

function resolve(setting: Setting, gathered: Gathered, mode: Mode): Resolved {
  const parsed = (gathered.given.get(setting.key) ?? []).map((given) => ({
    given,
    value: parseSetting(setting, given.written),
  }));
  const mistakes = parsed.filter(({ value }) => value === undefined).map(({ given }) => wrongForm(setting, given));
  const first = parsed[0];
  if (first !== undefined && first.value !== undefined)
    return { value: first.value, origin: first.given.origin, mistakes, isMistaken: false };
  const origin: Origin = first?.given.origin ?? { from: 'default', name: 'default' };
  return { value: defaultOf(setting, mode), origin, mistakes, isMistaken: first !== undefined };
}

export function defaultOf(setting: Setting, mode: Mode): SettingValue {
  const written = mode === 'live' && setting.liveDefault !== undefined ? setting.liveDefault : setting.default;
  const value = written === null ? null : parseSetting(setting, written);
  assert(value !== undefined, `the default of ${setting.key} has the form that the setting expects`);
  return value;
}

/** The rules that do not hold. One that looks at a mistaken value is left out: that value is reported already. */
function breaches(resolved: ReadonlyMap<string, Resolved>, mode: Mode): string[] {
  const isBroken = (rule: Rule | undefined): boolean => {
    let looksAtMistake = false;
    const broken = rule?.isBroken((key) => {
      const found = resolved.get(key);
      assert(found !== undefined, `a rule reads ${key}, which is a setting`);
      looksAtMistake ||= found.isMistaken;
      return found.value;
    });
    return broken === true && !looksAtMistake;
  };
  return SETTINGS.flatMap((setting) => {
    const origin = resolved.get(setting.key)?.origin;
    const from = origin === undefined || origin.from === 'default' ? 'not set' : `from ${origin.name}`;
    const complaints: string[] = [];
    if (isBroken(setting.rule)) complaints.push(`${setting.key} ${setting.rule?.says} (${from})`);
    if (mode === 'live' && isBroken(setting.liveRule))
      complaints.push(`live mode: ${setting.key} ${setting.liveRule?.says} (${from})`);
    return complaints;
  });
}

function wrongForm(setting: Setting, { origin, written }: Given): string {
  const got =
    setting.secret === true ? '' : `, got ${show(setting.kind === 'url' ? withoutSecrets(written) : written)}`;
  return `${setting.key}: expected ${expectation(setting)}${got}${misfitText(setting, written)} (from ${origin.name})`;
}

function misfitText(setting: Setting, written: unknown): string {
  const misfits = setting.secret === true ? [] : misfitsIn(setting, written);
  if (misfits.length === 0) return '';
  const more = misfits.length > MAX_MISFITS ? ` and ${misfits.length - MAX_MISFITS} more` : '';
  return `; what does not fit is ${misfits.slice(0, MAX_MISFITS).map(show).join(', ')}${more}`;
}

/** What an address may not hold is often a secret: credentials, or a token in its query. */
function withoutSecrets(written: unknown): unknown {
  return typeof written === 'string' ? written.replace(/\/\/.*@/s, '//...@').replace(/([?#]).*/s, '$1...') : written;
}

function show(written: unknown): string {
  const text = JSON.stringify(written, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? 'nothing';
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text;
}
