/**
 * Makes one field of a corridor file ready for use. Everything that can be prepared is prepared here, once, so that
 * checking a recipient only runs through closures. The file has passed file-rules.ts before.
 */
import { present } from '../kernel/assert.ts';
import type { Condition, OptionMap, Outcome, Rule, Scope } from './corridor.ts';
import { type FieldEntry, MAX_DETAIL_CHARS, type Options } from './file-shape.ts';
import { FORMATS, type Format, withoutSpaces } from './formats.ts';
import { compilePattern } from './pattern.ts';

/** A character that no text of a person has and that storage or a partner would stumble over. */
const UNUSABLE = /[\0\p{Surrogate}]/u;

const NO_FORMATS: ReadonlyMap<string, Format> = new Map();

export type SharedLists = ReadonlyMap<string, OptionMap>;

export function makeRule(entry: FieldEntry, shared: SharedLists): Rule {
  const options = allOptions(entry, shared);
  const allowed = allowedOptions(entry, options);
  const pattern = entry.pattern ?? (entry.format && FORMATS[entry.format].pattern);
  return {
    name: entry.name,
    about: entry.about,
    required: entry.required === true,
    when: entry.when,
    options,
    pattern,
    format: entry.format,
    default: entry.default,
    read: makeRead(entry, options, allowed),
    example: (scope) => exampleOf(entry, allowed?.(scope)),
  };
}

/** The text of a detail for comparisons: a number stands for its digits. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

export function holds(condition: Condition, scope: Scope): boolean {
  for (const [field, values] of condition) {
    const value = detailOf(field, scope);
    if (value === undefined || !values.includes(value)) return false;
  }
  return true;
}

/** Codes with their labels, wherever the file has them from. */
export function resolveOptions(options: Options, shared: SharedLists): OptionMap {
  if (typeof options === 'string') return present(shared.get(options), `shared list ${options}`);
  return options instanceof Map ? options : new Map([...options.values()].map((code) => [code, code]));
}

function detailOf(field: string, scope: Scope): string | undefined {
  return field === 'country' ? scope.country : textOf(scope.details[field]);
}

function makeRead(
  entry: FieldEntry,
  options: OptionMap | undefined,
  allowed: ((scope: Scope) => OptionMap) | undefined,
): Rule['read'] {
  const least = entry.min_length ?? 1;
  const most = entry.max_length ?? MAX_DETAIL_CHARS;
  const pattern = entry.pattern === undefined ? undefined : compilePattern(entry.pattern);
  const formatOf = formatLookup(entry);
  const agrees = agreement(entry);
  return (value, scope) => {
    const given = typeof value === 'string' ? value : numberedOption(value, options);
    if (given === undefined) return { code: 'invalid' };
    if (given.length > most) return { code: 'too_large' };
    if (UNUSABLE.test(given)) return { code: 'invalid' };
    const text = entry.ignore_spaces === true ? withoutSpaces(given) : given;
    if (text.length < least) return { code: 'too_short' };
    if (allowed !== undefined && !allowed(scope).has(text)) return { code: 'not_in_list' };
    if (pattern instanceof RegExp && !pattern.test(text)) return { code: 'invalid' };
    const format = formatOf(scope);
    const kept = format === undefined ? text : format.read(text, scope.countries);
    return kept !== undefined && agrees(kept, scope) ? { text: kept } : INVALID;
  };
}

const INVALID: Outcome = { code: 'invalid' };

/** Account types are often sent as numbers: 20 is taken for "20" where that is an option, and no other number is. */
function numberedOption(value: unknown, options: OptionMap | undefined): string | undefined {
  const text = textOf(value);
  return text !== undefined && options?.has(text) === true ? text : undefined;
}

function allOptions(entry: FieldEntry, shared: SharedLists): OptionMap | undefined {
  const own = entry.options === undefined ? undefined : resolveOptions(entry.options, shared);
  if (own !== undefined || entry.options_by === undefined) return own;
  return new Map([...entry.options_by.lists.values()].flatMap((list) => (list instanceof Map ? [...list] : [])));
}

/** The options that these details leave: all of them until the field that narrows them down is known. */
function allowedOptions(entry: FieldEntry, all: OptionMap | undefined): ((scope: Scope) => OptionMap) | undefined {
  if (all === undefined) return undefined;
  const by = entry.options_by;
  if (by === undefined) return () => all;
  const lists = new Map(
    [...by.lists].map(([value, list]) => {
      const codes = list instanceof Map ? [...list.keys()] : [...list.values()];
      return [value, new Map(codes.map((code) => [code, all.get(code) ?? code]))];
    }),
  );
  return (scope) => {
    const value = detailOf(by.field, scope);
    return (value === undefined ? undefined : lists.get(value)) ?? all;
  };
}

function formatLookup(entry: FieldEntry): (scope: Scope) => Format | undefined {
  const fixed = entry.format === undefined ? undefined : FORMATS[entry.format];
  const by = entry.format_by;
  const formats =
    by === undefined ? NO_FORMATS : new Map([...by.formats].map(([value, name]) => [value, FORMATS[name]]));
  if (by === undefined) return () => fixed;
  return (scope) => {
    const value = detailOf(by.field, scope);
    return value === undefined ? undefined : formats.get(value);
  };
}

/** Whether the value fits another detail: the bank within the account number, the letters that stand for the bank. */
function agreement(entry: FieldEntry): (text: string, scope: Scope) => boolean {
  const { part_of: part, prefix_by: prefix } = entry;
  return (text, scope) => {
    if (part !== undefined) {
      const other = textOf(scope.details[part.field]);
      if (other !== undefined && withoutSpaces(other).slice(part.from - 1, part.to) !== text) return false;
    }
    if (prefix === undefined) return true;
    const other = detailOf(prefix.field, scope);
    const start = other === undefined ? undefined : prefix.prefixes.get(other);
    return start === undefined || text.startsWith(start);
  };
}

function exampleOf(entry: FieldEntry, options: OptionMap | undefined): string {
  const { example } = entry;
  if (options === undefined) return present(example, `example of ${entry.name}`);
  if (example !== undefined && options.has(example)) return example;
  const [first] = options.keys();
  return present(first, `option of ${entry.name}`);
}
