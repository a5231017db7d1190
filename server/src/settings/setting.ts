/**
 * What one row of the settings table says. A value is written the same way everywhere: as in the settings file, with
 * its TOML type; flags and environment variables carry the same thing as text (parse.ts). Defaults are written so too,
 * and are checked by the same code.
 */

export type Mode = 'sandbox' | 'live';

/** A value as the program uses it. Null: not set. Durations are milliseconds. */
export type SettingValue = string | number | boolean | Uint8Array | readonly string[] | TextMap | null;

export type TextMap = Readonly<Record<string, string>>;

export type ReadSetting = (key: string) => SettingValue;

/** A demand on a setting that its form alone cannot express, because it depends on the mode or on other settings. */
export interface Rule {
  /** Completes "<key> ..." for people: `must not be set`. Stands in the complaint and in docs/settings.md. */
  readonly says: string;
  readonly isBroken: (read: ReadSetting) => boolean;
}

interface Row<Written> {
  /**
   * As in the settings file: `group.name`, or `name` alone. Flag and environment variable follow from it (names.ts).
   */
  readonly key: string;
  /** One or two sentences for people. */
  readonly description: string;
  /** Null: not set unless somebody sets it. An empty text then unsets what an origin of lower rank has set. */
  readonly default: Written | null;
  /** The default in live mode, where it differs. */
  readonly liveDefault?: Written;
  /** Never shown: not in a listing, not in a complaint. */
  readonly secret?: true;
  /** The names, where they do not follow the rule. */
  readonly env?: string;
  readonly flag?: string;
  /** The open point that this setting answers: a row of docs/open-points.md. */
  readonly openPoint?: `OP-${number}`;
  /** Holds in both modes. */
  readonly rule?: Rule;
  /** Holds in live mode only. */
  readonly liveRule?: Rule;
}

export interface TextSetting extends Row<string> {
  readonly kind: 'string';
  readonly pattern: RegExp;
  /** What the pattern means, for people: `a host name or an IP address`. */
  readonly expects: string;
}

interface IntegerSetting extends Row<number> {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
}

interface PortSetting extends Row<number> {
  readonly kind: 'port';
}

interface BooleanSetting extends Row<boolean> {
  readonly kind: 'boolean';
}

export interface DurationSetting extends Row<string> {
  readonly kind: 'duration';
  readonly min: string;
  readonly max: string;
}

export interface UrlSetting extends Row<string> {
  readonly kind: 'url';
  readonly schemes: readonly string[];
  /** A base to which paths are added: it has no credentials, no query and no final slash. */
  readonly base?: true;
}

export interface ChoiceSetting extends Row<string> {
  readonly kind: 'choice';
  readonly choices: readonly string[];
}

export interface PathSetting extends Row<string> {
  readonly kind: 'path';
}

/** A key of 32 bytes, used as bytes. */
export interface KeySetting extends Row<string> {
  readonly kind: 'key';
}

export interface ListSetting extends Row<readonly string[]> {
  readonly kind: 'list';
  readonly pattern: RegExp;
  readonly expects: string;
}

export interface MapSetting extends Row<TextMap> {
  readonly kind: 'map';
  readonly namePattern: RegExp;
  readonly valuePattern: RegExp;
  readonly expects: string;
}

export type Setting =
  | TextSetting
  | IntegerSetting
  | PortSetting
  | BooleanSetting
  | DurationSetting
  | UrlSetting
  | ChoiceSetting
  | PathSetting
  | KeySetting
  | ListSetting
  | MapSetting;
