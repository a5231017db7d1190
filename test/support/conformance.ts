/**
 * Holds answers to what the service says about itself in /openapi.json: the status is described, the body has the
 * described form, no object in it has a field that is not described, and headers that callers go by are described too.
 */
import { Compile } from 'typebox/schema';
import type { OpenApi, Operation, Reference, Response } from '../../server/src/http/openapi/types.ts';

interface CheckedCall {
  readonly method: string;
  readonly path: string;
}

export interface CheckedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  /** By their names in lower case; not looked at when not given. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Described extends Operation {
  readonly name: string;
  readonly pattern: RegExp;
}

type Check = (body: unknown) => string[];

/** Headers that are the service's own, or that a caller has to act on. */
const TELLING = /^(x-request-id|x-soft-limit-.+|retry-after)$/;

/** What a caller has to act on: these have to be described where they can happen, and `default` is not enough. */
const TOLD_APART: ReadonlySet<number> = new Set([401, 403, 404, 422, 429, 503]);

export class Conformance {
  readonly #document: OpenApi;
  readonly #operations: readonly Described[];
  readonly #checks = new Map<string, Check>();

  constructor(document: OpenApi) {
    this.#document = JSON.parse(JSON.stringify(document), closeObjects);
    this.#operations = operationsOf(this.#document);
  }

  /** What does not fit, in words; empty also for paths that no route has. */
  faultsIn({ method, path }: CheckedCall, answer: CheckedAnswer): string[] {
    const { status, body, text, headers } = answer;
    const target = `${method} ${path.split('?')[0]}`;
    const operation = this.#operations.find(({ pattern }) => pattern.test(target));
    // Routes that tests add have no schemas, so nothing is said about their answers.
    if (operation === undefined || !Object.keys(operation.responses).some((one) => one.startsWith('2'))) return [];
    const response = this.#responseOf(operation, status);
    if (response === undefined) return [`${operation.name} answers ${status}, which is not described`];
    const key = `${operation.name} ${status}`;
    const wrong = headers === undefined ? [] : this.#headerFaults(response, headers);
    const schema = response.content['application/json']?.schema;
    if (schema === undefined) return wrong.map((fault) => `${key}: ${fault}`);
    const check = this.#checks.get(key) ?? checker({ ...schema, components: this.#document.components });
    this.#checks.set(key, check);
    return [...wrong, ...check(body)].map((fault) => `${key}: ${fault} in ${text}`);
  }

  #responseOf({ responses }: Described, status: number): Response | undefined {
    const response = responses[status] ?? (TOLD_APART.has(status) ? undefined : responses['default']);
    if (response === undefined || !('$ref' in response)) return response;
    return this.#document.components.responses[nameIn(response)];
  }

  #headerFaults({ headers: described = {} }: Response, headers: Readonly<Record<string, string>>): string[] {
    const names = new Map(Object.entries(described).map(([name, told]) => [name.toLowerCase(), nameIn(told)]));
    const untold = Object.keys(headers).filter((name) => TELLING.test(name) && !names.has(name));
    const absent = [...names].filter(
      ([name, component]) => headers[name] === undefined && this.#document.components.headers[component]?.required,
    );
    return [
      ...untold.map((name) => `the header ${name} is not described`),
      ...absent.map(([name]) => `the header ${name} is missing`),
    ];
  }
}

function nameIn({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** By their text: nearly all servers of the tests say the same, and making the checks takes a while. */
const made = new Map<string, Conformance>();

/** Reads the description that a running server gives of itself; undefined when it gives none, or is gone by now. */
export async function conformanceOf(baseUrl: string): Promise<Conformance | undefined> {
  const text = await fetch(`${baseUrl}/openapi.json`).then(
    (answer) => (answer.ok ? answer.text().catch(() => undefined) : undefined),
    () => undefined,
  );
  if (text === undefined) return undefined;
  const conformance = made.get(text) ?? new Conformance(JSON.parse(text));
  made.set(text, conformance);
  return conformance;
}

export type ReadConformance = () => Promise<Conformance | undefined>;

/** For all callers of one server: read when the first of them asks, and again where it could not be read. */
export function conformanceReader(baseUrl: string): ReadConformance {
  let reading: Promise<Conformance | undefined> | undefined;
  return async () => {
    reading ??= conformanceOf(baseUrl);
    const read = await reading;
    if (read === undefined) reading = undefined;
    return read;
  };
}

/** Paths without parameters come first: `/v1/accounts/debits` is not a currency. */
function operationsOf({ paths }: OpenApi): Described[] {
  const sorted = Object.keys(paths).toSorted((a, b) => a.split('{').length - b.split('{').length);
  return sorted.flatMap((path) =>
    Object.entries(paths[path] ?? {}).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const pattern = name.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+');
      return { ...operation, name, pattern: new RegExp(`^${pattern}$`) };
    }),
  );
}

/** An object may have the fields that are described and no others, unless it is said to be open. */
function closeObjects(_key: string, value: unknown): unknown {
  const isSchema = typeof value === 'object' && value !== null && 'type' in value && value.type === 'object';
  return isSchema && 'properties' in value && !('additionalProperties' in value)
    ? { ...value, additionalProperties: false }
    : value;
}

function checker(schema: object): Check {
  const compiled = Compile(schema);
  return (body) => {
    if (compiled.Check(body)) return [];
    const [, errors] = compiled.Errors(body);
    return errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  };
}
