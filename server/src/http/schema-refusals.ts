/**
 * What a schema found wrong, as refusals: one word for each field, all of them at once, in the order in which the
 * schema names its fields. Spec: Errors. Open point OP-76.
 */
import type { Refusal, RefusalCode } from '../kernel/refusal.ts';

/** What the validator reports about one field, as far as it is read here. */
interface SchemaFault {
  readonly keyword: string;
  /** A JSON pointer into the input. */
  readonly instancePath: string;
  readonly params: { readonly missingProperty?: unknown };
}

type Path = (string | number)[];

interface Found extends Refusal {
  readonly rank: readonly number[];
}

const BY_KEYWORD: Readonly<Record<string, RefusalCode>> = {
  required: 'blank',
  enum: 'not_in_list',
  const: 'not_in_list',
  maxLength: 'too_large',
  maxItems: 'too_large',
  maxProperties: 'too_large',
  maximum: 'too_large',
  minItems: 'blank',
  minLength: 'too_short',
};

export function schemaRefusals(faults: readonly SchemaFault[], input: unknown, schema: unknown): Refusal[] {
  const found = new Map<string, Found>();
  for (const fault of faults) {
    const path = pathOf(fault, input);
    const name = JSON.stringify(path);
    // The first word about a field stands: a union reports each of its branches, and then itself.
    if (!found.has(name)) found.set(name, { code: codeOf(fault, input, path), path, rank: rankOf(schema, path) });
  }
  return [...found.values()].sort(byRank).map(({ code, path }) => ({ code, path }));
}

function codeOf(fault: SchemaFault, input: unknown, path: Path): RefusalCode {
  const value = path.reduce(stepInto, input);
  if (fault.keyword === 'required' || value === null || value === '') return 'blank';
  return BY_KEYWORD[fault.keyword] ?? 'invalid';
}

/** A JSON pointer as a path; a missing field is named by the field itself, not by the object that lacks it. */
function pathOf({ instancePath, keyword, params }: SchemaFault, input: unknown): Path {
  const path: Path = [];
  let value = input;
  for (const written of instancePath.split('/').slice(1)) {
    const name = written.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(name) : name;
    value = stepInto(value, step);
    path.push(step);
  }
  const missing = keyword === 'required' ? params.missingProperty : undefined;
  return typeof missing === 'string' ? [...path, missing] : path;
}

/** The place of each step of the path among its neighbours in the schema. */
function rankOf(schema: unknown, path: Path): number[] {
  let at = schema;
  return path.map((step) => {
    if (typeof step === 'number') {
      at = stepInto(at, 'items');
      return step;
    }
    const properties = Object(stepInto(at, 'properties'));
    at = stepInto(properties, step);
    const place = Object.keys(properties).indexOf(step);
    return place === -1 ? Number.MAX_SAFE_INTEGER : place;
  });
}

function byRank(left: Found, right: Found): number {
  for (let index = 0; index < Math.min(left.rank.length, right.rank.length); index += 1) {
    const difference = (left.rank[index] ?? 0) - (right.rank[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.rank.length - right.rank.length;
}

function stepInto(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? Reflect.get(value, step)
    : undefined;
}
