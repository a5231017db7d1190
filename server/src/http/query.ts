/**
 * Query strings. Lists come as `state=a&state=b`, as `state[]=a`, and numbered, as the usual functions of PHP and
 * JavaScript write them, `state[0]=a`: a filter that is not read would let everything pass. Values are text; where the
 * schema of a route says number, truth value, list or day, they become one, and what cannot is left for the schema to
 * refuse. A day may come as its midnight: client libraries that know only moments write it so.
 */
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readDay } from '../documents/dates.ts';

const MAX_PAIRS = 200;
const LIST_MARK = /\[[0-9]{0,3}\]$/;

export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (text === '') return query;
  for (const [written, value] of Object.entries(parse(text, '&', '=', { maxKeys: MAX_PAIRS }))) {
    if (value === undefined) continue;
    const name = written.replace(LIST_MARK, '');
    const isList = name !== written;
    const earlier = query[name];
    query[name] = earlier === undefined && !isList ? value : [earlier ?? [], value].flat();
  }
  return query;
}

type Read = (value: string | string[]) => unknown;

/** Gives each route that describes its query a hook that reads the values by that description. */
export function readQueriesBySchema(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const readers = readersOf(route.schema?.querystring);
    if (readers.size === 0) return;
    const hook = (request: FastifyRequest, _reply: unknown, done: () => void) => {
      readQuery(Object(request.query), readers);
      done();
    };
    route.preValidation = [route.preValidation ?? [], hook].flat();
  });
}

export function readersOf(schema: unknown): ReadonlyMap<string, Read> {
  const properties: object = Object(Reflect.get(Object(schema), 'properties'));
  const readers = new Map<string, Read>();
  for (const [name, property] of Object.entries(properties)) {
    const read = readerFor(Object(property));
    if (read !== undefined) readers.set(name, read);
  }
  return readers;
}

export function readQuery(query: object, readers: ReadonlyMap<string, Read>): void {
  for (const [name, read] of readers) {
    const value: unknown = Reflect.get(query, name);
    if (typeof value === 'string' || Array.isArray(value)) Reflect.set(query, name, read(value));
  }
}

/** Whole numbers that a double holds exactly; everything longer stays text and is refused by the schema. */
const NUMBER = /^-?[0-9]{1,15}(\.[0-9]{1,10})?$/;

function readerFor(property: object): Read | undefined {
  if (Reflect.get(property, 'format') === 'date') return (value) => readDay(value) ?? value;
  switch (Reflect.get(property, 'type')) {
    case 'integer':
    case 'number':
      return (value) => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value);
    case 'boolean':
      return (value) => (value === 'true' ? true : value === 'false' ? false : value);
    case 'array':
      return (value) => [value].flat();
    default:
      return undefined;
  }
}
