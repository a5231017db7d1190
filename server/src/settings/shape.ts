/**
 * The settings as the program reads them: nested by group, in camel case, durations in milliseconds with names that end
 * in Ms. The type follows from the rows of the table, so that a setting without a row cannot be read.
 */
import { assert, present } from '../kernel/assert.ts';
import { groupOf, propertyOf } from './names.ts';
import type { Setting, SettingValue, TextMap } from './setting.ts';
import { SETTINGS, type TABLE } from './table.ts';

type AnyRow = (typeof TABLE)[number];
type Key = AnyRow['key'];
type Group = Key extends infer K ? (K extends `${infer G}.${string}` ? G : never) : never;

type CamelCase<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : S;
type NameOf<K extends string> = K extends `${string}.${infer N}` ? N : K;
type RowOf<K extends Key> = Extract<AnyRow, { key: K }>;
type PropertyOf<K extends Key> = RowOf<K>['kind'] extends 'duration'
  ? `${CamelCase<NameOf<K>>}Ms`
  : CamelCase<NameOf<K>>;

interface ValueOfKind {
  string: string;
  integer: number;
  port: number;
  boolean: boolean;
  duration: number;
  url: string;
  path: string;
  key: Uint8Array;
  list: readonly string[];
  map: TextMap;
}
type ValueOf<R extends AnyRow> =
  | (R extends { kind: 'choice'; choices: readonly (infer C)[] }
      ? C
      : R['kind'] extends keyof ValueOfKind
        ? ValueOfKind[R['kind']]
        : never)
  | (R['default'] extends null ? null : never);

type KeyIn<G extends Group> = Extract<Key, `${G}.${string}`>;
type Alone = Exclude<Key, `${string}.${string}`>;

export type Settings = {
  readonly [K in Alone as PropertyOf<K>]: ValueOf<RowOf<K>>;
} & {
  readonly [G in Group]: { readonly [K in KeyIn<G> as PropertyOf<K>]: ValueOf<RowOf<K>> };
};

/** Puts checked values, by key, into their places. Frozen: settings do not change while the program runs. */
export function nestSettings(values: ReadonlyMap<string, SettingValue>): Settings {
  const groups = new Map<string, Record<string, SettingValue>>();
  for (const setting of SETTINGS) {
    const value = values.get(setting.key);
    assert(value !== undefined, `setting ${setting.key} has a value`);
    const group = groups.get(groupOf(setting)) ?? {};
    group[propertyOf(setting)] = value;
    groups.set(groupOf(setting), group);
  }
  const alone = present(groups.get(''), 'settings without a group');
  groups.delete('');
  for (const group of groups.values()) Object.freeze(group);
  const nested = Object.freeze({ ...alone, ...Object.fromEntries(groups) });
  assert(isSettings(nested), 'every setting is in its place');
  return nested;
}

/** The value of one setting, for code that goes through all of them. */
export function settingValue(settings: Settings, setting: Setting): SettingValue {
  const value = findValue(settings, setting);
  assert(value !== undefined, `setting ${setting.key} is in its place`);
  return value;
}

/** The forms of the values were checked when they were parsed; what is left to prove is that each is in its place. */
function isSettings(nested: object): nested is Settings {
  return SETTINGS.every((setting) => findValue(nested, setting) !== undefined);
}

function findValue(nested: object, setting: Setting): SettingValue | undefined {
  const group = groupOf(setting);
  const holder: unknown = group === '' ? nested : Reflect.get(nested, group);
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, propertyOf(setting)) : undefined;
}
