/**
 * Reads the settings file (TOML). A key that no setting has is refused, never passed over: a misspelled setting would
 * otherwise silently keep its default. Nothing of the file's text is repeated in a complaint, as it may hold secrets.
 */
import { readFileSync, statSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import { groupOf } from './names.ts';
import { isTable } from './parse.ts';
import { suggest } from './suggest.ts';
import { SETTINGS } from './table.ts';

export const MAX_FILE_BYTES = 1_048_576;

interface SettingsFile {
  /** What the file gives, by key, still unchecked. */
  readonly written: ReadonlyMap<string, unknown>;
  readonly mistakes: readonly string[];
  /** False: the file is there and nobody can say what it gives. */
  readonly isReadable: boolean;
}

interface SettingsFilePlace {
  readonly path: string;
  /** How complaints call it. */
  readonly name: string;
  /** A file that somebody named must exist; the one in the usual place need not. */
  readonly mustExist: boolean;
}

const KEYS = SETTINGS.map((setting) => setting.key);
const GROUP_NAMES = new Set(SETTINGS.map(groupOf).filter((group) => group !== ''));

export function readSettingsFile({ path, name, mustExist }: SettingsFilePlace): SettingsFile {
  let text: string;
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return unusable(name, `larger than ${MAX_FILE_BYTES} bytes`);
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
    if (code === 'ENOENT' && !mustExist) return { written: new Map(), mistakes: [], isReadable: true };
    return unusable(name, code === 'ENOENT' ? 'no such file' : `cannot be read (${String(code)})`);
  }
  try {
    return sortOut(name, parse(text, { integersAsBigInt: 'asNeeded' }));
  } catch (fault) {
    if (!(fault instanceof TomlError)) throw fault;
    // Only the first line of the message: those after it repeat lines of the file.
    const reason = fault.message.split('\n', 1)[0]?.replace('Invalid TOML document: ', '');
    return unusable(name, `line ${fault.line}, column ${fault.column}: not valid TOML: ${reason}`);
  }
}

function unusable(file: string, reason: string): SettingsFile {
  return { written: new Map(), mistakes: [`settings file ${file}: ${reason}`], isReadable: false };
}

/** Brings the tables of the file to the dotted keys of the settings. A table that is itself a setting stays whole. */
function sortOut(file: string, document: object): SettingsFile {
  const written = new Map<string, unknown>();
  const mistakes: string[] = [];
  const take = (key: string, value: unknown) => {
    if (!KEYS.includes(key)) mistakes.push(unknownKey(file, key));
    else if (written.has(key)) mistakes.push(`settings file ${file}: ${key} is given twice`);
    else written.set(key, value);
  };
  for (const [name, value] of Object.entries(document)) {
    if (!KEYS.includes(name) && isTable(value)) {
      const inner = Object.entries(value);
      if (inner.length === 0 && !GROUP_NAMES.has(name)) take(name, value);
      for (const [innerName, innerValue] of inner) take(`${name}.${innerName}`, innerValue);
    } else if (GROUP_NAMES.has(name)) {
      mistakes.push(`settings file ${file}: ${name} is a group; its settings stand under [${name}]`);
    } else {
      take(name, value);
    }
  }
  return { written, mistakes, isReadable: true };
}

function unknownKey(file: string, key: string): string {
  const near = suggest(key, KEYS);
  return `settings file ${file}: unknown key ${key}${near === undefined ? '' : `; did you mean ${near}?`}`;
}
