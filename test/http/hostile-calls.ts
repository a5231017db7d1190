/**
 * Bad calls of every endpoint, made from a seed and from the description of the interface: the fields that it names are
 * there, with some values that could be right among many that cannot, so that a call comes as far as it can. None of
 * them is good as a whole: no file is a file, no country a country, and no id is one of anything that is stored.
 */

import type { HostileRequest, Random } from './hostile-requests.ts';
import {
  cutOff,
  TEXTS as HOSTILE_TEXTS,
  hostileBody,
  hostileHeaders,
  hostileJson,
  NUMBERS,
  SEGMENTS,
} from './hostile-requests.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly [unknown, ...unknown[]];
  readonly anyOf?: readonly [Schema, ...Schema[]];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

type MakeHostileCall = (random: Random) => HostileRequest;

const MAX_DEPTH = 8;
const NOBODY = '01900000-0000-7000-8000-00000000dead';
const FORMATS: Readonly<Record<string, string>> = {
  uuid: NOBODY,
  date: '1990-02-28',
  'date-time': '2026-02-28T12:00:00Z',
  email: 'ada@example.com',
};

/** Calls of all endpoints of the description, each as likely as the others. */
export function hostileCalls({ paths, components }: Description): MakeHostileCall {
  const [first, ...rest] = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  if (first === undefined) throw new Error('the description has no endpoints');
  const valueFor = valuesBy(components.schemas ?? {});
  return (random) => {
    const { method, path, operation } = random.pick([first, ...rest]);
    const schema = operation.requestBody?.content['application/json']?.schema;
    const body =
      schema === undefined || random.below(4) === 0
        ? hostileBody(random)
        : { rawBody: spoilt(random, valueFor(random, schema, 0)) };
    return {
      method,
      path: `${pathOf(random, path)}${queryOf(random, operation.parameters ?? [])}`,
      options: { ...body, ...hostileHeaders(random) },
    };
  };
}

function pathOf(random: Random, path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, () =>
    random.pick([() => NOBODY, () => NOBODY.toUpperCase(), () => random.pick(SEGMENTS), () => 'x'.repeat(300)])(),
  );
}

function queryOf(random: Random, parameters: readonly Parameter[]): string {
  const asked = parameters.filter((one) => one.in === 'query' && random.below(2) === 0);
  const pairs = asked.map(({ name }) => {
    const value = random.pick([
      NOBODY,
      '1',
      '-1',
      '9'.repeat(400),
      '1e9',
      '',
      '[]',
      '\u0001',
      '2026-02-30',
      'ä'.repeat(300),
    ]);
    return `${name}${random.pick(['', '[]', '[a]'])}=${random.below(6) === 0 ? random.pick(SEGMENTS) : encodeURIComponent(value)}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** JSON text by a schema, with hostile parts. */
function valuesBy(schemas: Readonly<Record<string, Schema>>) {
  const valueFor = (random: Random, schema: Schema, depth: number): string => {
    const known = schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    // The outermost objects are kept more often than not, or few calls would come past them.
    if (depth > MAX_DEPTH || random.below(depth < 2 ? 12 : 4) === 0) return hostileJson(random, depth);
    if (known.anyOf) return valueFor(random, random.pick(known.anyOf), depth + 1);
    if (known.enum) return JSON.stringify(random.pick(known.enum));
    if (known.type === 'array') {
      const items = known.items ?? {};
      return `[${Array.from({ length: random.below(4) }, () => valueFor(random, items, depth + 1)).join(',')}]`;
    }
    if (known.type === 'object') return objectFor(random, known.properties ?? {}, depth);
    if (known.type === 'boolean') return random.pick(['true', 'false']);
    if (known.type === 'number' || known.type === 'integer') return random.pick(['1', ...NUMBERS]);
    return JSON.stringify(FORMATS[known.format ?? ''] ?? random.pick(['Ada', 'USD', 'NGN::Bank', ...HOSTILE_TEXTS]));
  };

  /** Some fields are left out, some come twice, and some are nobody's. */
  const objectFor = (random: Random, properties: Readonly<Record<string, Schema>>, depth: number): string => {
    const fields = Object.entries(properties).flatMap(([name, schema]) => {
      const times = random.pick([0, 1, 1, 1, 1, 1, 1, 2]);
      return Array.from({ length: times }, () => `${JSON.stringify(name)}:${valueFor(random, schema, depth + 1)}`);
    });
    const strange = random.below(5) === 0 ? [`"__proto__":${hostileJson(random, depth + 1)}`] : [];
    return `{${[...fields, ...strange].join(',')}}`;
  };
  return valueFor;
}

/** Now and then cut short, or with a byte that no UTF-8 text has. */
function spoilt(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const fate = random.below(12);
  if (fate === 0) return cutOff(random, text);
  if (fate === 1 && bytes.length > 0) bytes[random.below(bytes.length)] = 0xff;
  return bytes;
}
