/**
 * What the driver gets for each value of a statement: a list in PostgreSQL's binary form where the statement says of
 * what it is (`$2::uuid[]`), otherwise as text (`{a,b,NULL}`); everything else as it is.
 */
import type { SqlScalar, SqlValue } from '../kernel/database.ts';
import { binaryList } from './pg-lists.ts';

/** The element type of each list among the parameters of a statement, by position from zero. */
export type ListTypes = readonly (string | undefined)[];

const LIST_PARAMETER = /\$([0-9]+)::([a-z]+)\[\]/g;

export function listTypesOf(statement: string): ListTypes {
  const types: (string | undefined)[] = [];
  const seen = new Set<number>();
  for (const [, number, type] of statement.matchAll(LIST_PARAMETER)) {
    const place = Number(number) - 1;
    // Where one parameter is cast in two ways, only the database knows what it takes it for.
    types[place] = seen.has(place) && types[place] !== type ? undefined : type;
    seen.add(place);
  }
  return types;
}

export function pgValue(value: SqlValue, listType?: string): Exclude<SqlValue, readonly unknown[]> {
  if (!isList(value)) return value;
  return (listType === undefined ? undefined : binaryList(listType, value)) ?? arrayLiteral(value);
}

function isList(value: SqlValue): value is readonly SqlScalar[] {
  return Array.isArray(value);
}

const SPECIAL = /[\\"]/g;

export function arrayLiteral(elements: readonly SqlScalar[]): string {
  return `{${elements.map(elementLiteral).join(',')}}`;
}

function elementLiteral(element: SqlScalar): string {
  if (element === null) return 'NULL';
  if (typeof element === 'string') return `"${element.replace(SPECIAL, '\\$&')}"`;
  if (element instanceof Date) return `"${element.toISOString()}"`;
  if (element instanceof Uint8Array) return `"\\\\x${Buffer.from(element).toString('hex')}"`;
  return String(element);
}
