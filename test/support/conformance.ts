/**
 * Holds answers to what the service says about itself in /openapi.json: the status is described, the body has the
 * described form, and no object in it has a field that is not described.
 */
import { Compile } from 'typebox/schema';
import type { OpenApi, Operation, Schema } from '../../server/src/http/openapi/types.ts';

export interface CheckedCall {
  readonly method: string;
  readonly path: string;
}

export interface CheckedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

interface Described extends Operation {
  readonly name: string;
  readonly pattern: RegExp;
}

type Check = (body: unknown) => string[];

/** Failures that any call can meet have this form, and only the guide tells of them. */
const ANY_FAILURE: Schema = { $ref: '#/components/schemas/Problem' };

export class Conformance {
  readonly #document: OpenApi;
  readonly #operations: readonly Described[];
  readonly #checks = new Map<string, Check>();

  constructor(document: OpenApi) {
    this.#document = JSON.parse(JSON.stringify(document), closeObjects);
    this.#operations = operationsOf(this.#document);
  }

  /** What does not fit, in words; empty also for paths that no route has. */
  faultsIn({ method, path }: CheckedCall, { status, body, text }: CheckedAnswer): string[] {
    const target = `${method} ${path.split('?')[0]}`;
    const operation = this.#operations.find(({ pattern }) => pattern.test(target));
    // Routes that tests add have no schemas, so nothing is said about their answers.
    if (operation === undefined || !Object.keys(operation.responses).some((one) => one.startsWith('2'))) return [];
    const schema = this.#schemaOf(operation, status);
    if (schema === undefined) return [`${operation.name} answers ${status}, which is not described`];
    if (schema === 'not JSON') return [];
    const key = `${operation.name} ${status}`;
    const check = this.#checks.get(key) ?? checker({ ...schema, components: this.#document.components });
    this.#checks.set(key, check);
    return check(body).map((fault) => `${key}: ${fault} in ${text}`);
  }

  #schemaOf(operation: Described, status: number): Schema | 'not JSON' | undefined {
    const response = operation.responses[status];
    if (response === undefined) return status >= 400 && status !== 422 ? ANY_FAILURE : undefined;
    const name = '$ref' in response ? response.$ref.split('/').at(-1) : undefined;
    const found = '$ref' in response ? this.#document.components.responses[name ?? ''] : response;
    return found === undefined ? undefined : (found.content['application/json']?.schema ?? 'not JSON');
  }
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
