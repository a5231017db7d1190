/** Reads answers of the operator API: JSON whose form is known but not proved. What is missing reads as nothing. */
import { shown } from './shown.ts';

export type Json = unknown;

/** Nothing where the text is no JSON: the page of a proxy, for example. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function at(value: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>((inner, name) => {
    const isObject = typeof inner === 'object' && inner !== null;
    return isObject ? new Map(Object.entries(inner)).get(name) : undefined;
  }, value);
}

export function listAt(value: Json, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** As a cell of a table shows it. */
export function textAt(value: Json, ...path: readonly string[]): string {
  return shown(rawTextAt(value, ...path));
}

/** As it came: to be sent on, not to be shown. */
export function rawTextAt(value: Json, ...path: readonly string[]): string {
  const found = at(value, ...path);
  if (found === null || found === undefined) return '';
  if (Array.isArray(found)) return found.join(', ');
  return typeof found === 'object' ? JSON.stringify(found) : String(found);
}

export function objectAt(value: Json, ...path: readonly string[]): object {
  const found = at(value, ...path);
  return typeof found === 'object' && found !== null ? found : {};
}
