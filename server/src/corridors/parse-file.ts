/**
 * Small readers from which the shape of a corridor file is put together (file-shape.ts). Each takes an unknown value
 * and its place, and gives the typed value, or records a mistake in words for people who do not program.
 */
import type { Place } from './mistakes.ts';

/** Undefined means that a mistake was recorded, or that an optional value is absent. */
export type Read<T> = (value: unknown, place: Place) => T | undefined;

type Shape = Readonly<Record<string, Read<unknown>>>;
type Values<S extends Shape> = { readonly [K in keyof S]: S[K] extends Read<infer T> ? T : never };

const MAX_TEXT_CHARS = 2_000;
const MAX_LIST_ITEMS = 500;
const MAX_MAP_ENTRIES = 2_000;

export function text(pattern?: RegExp, expects = 'a text'): Read<string> {
  return (value, place) => {
    if (typeof value !== 'string' || value === '') return place.wrong(`is not ${expects}`);
    if (value.length > MAX_TEXT_CHARS) return place.wrong(`is longer than ${MAX_TEXT_CHARS} characters`);
    if (pattern !== undefined && !pattern.test(value)) return place.wrong(`is not ${expects}`);
    return value;
  };
}

export const truth: Read<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : place.wrong('is neither true nor false');

export function wholeNumber(min: number, max: number): Read<number> {
  return (value, place) => {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    return fits ? value : place.wrong(`is not a whole number from ${min} to ${max}`);
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Read<T> {
  return (value, place) =>
    choices.find((choice) => choice === value) ?? place.wrong(`is not one of: ${choices.join(', ')}`);
}

export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return place.wrong('is not a list');
    if (value.length > MAX_LIST_ITEMS) return place.wrong(`has more than ${MAX_LIST_ITEMS} items`);
    return value.flatMap((item, index) => read(item, place.item(index)) ?? []);
  };
}

export function mapOf<T>(read: Read<T>): Read<ReadonlyMap<string, T>> {
  return (value, place) => {
    if (!isRecord(value)) return place.wrong('is not a map of names to values');
    const entries = Object.entries(value);
    if (entries.length > MAX_MAP_ENTRIES) return place.wrong(`has more than ${MAX_MAP_ENTRIES} entries`);
    const result = new Map<string, T>();
    for (const [key, item] of entries) {
      const itemRead = read(item, place.key(key));
      if (itemRead !== undefined) result.set(key, itemRead);
    }
    return result;
  };
}

/** One reader or the other, by the kind of the value: a list goes to the first, anything else to the second. */
export function listOr<L, O>(list: Read<L>, other: Read<O>): Read<L | O> {
  return (value, place) => (Array.isArray(value) ? list(value, place) : other(value, place));
}

/** A text goes to the first, anything else to the second. */
export function textOr<T, O>(textRead: Read<T>, other: Read<O>): Read<T | O> {
  return (value, place) => (typeof value === 'string' ? textRead(value, place) : other(value, place));
}

/** An object with exactly these keys. Keys that begin with $ are comments. */
export function object<R extends Shape, O extends Shape>(
  required: R,
  optional: O,
): Read<Values<R> & Partial<Values<O>>> {
  return (value, place) => {
    if (!isRecord(value)) return place.wrong('is not an object');
    const result: Record<string, unknown> = {};
    let whole = true;
    for (const [key, item] of Object.entries(value)) {
      if (key.startsWith('$')) continue;
      const read = Object.hasOwn(required, key)
        ? required[key]
        : Object.hasOwn(optional, key)
          ? optional[key]
          : undefined;
      if (read === undefined) place.key(key).wrong('is not a key that belongs here');
      const readValue = read?.(item, place.key(key));
      if (readValue !== undefined) result[key] = readValue;
    }
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(value, key)) place.key(key).wrong('is missing');
      whole &&= result[key] !== undefined;
    }
    return whole ? (result as Values<R> & Partial<Values<O>>) : undefined;
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
