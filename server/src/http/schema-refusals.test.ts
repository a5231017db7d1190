import { type FastifySchemaValidationError, fastify } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { schemaRefusals } from './schema-refusals.ts';

const Thing = Type.Object({
  name: Type.String({ minLength: 3, maxLength: 5 }),
  amount: Type.Union([Type.String(), Type.Number()]),
  kind: Type.Enum(['a', 'b']),
  flag: Type.Optional(Type.Boolean()),
  parts: Type.Optional(
    Type.Array(Type.Object({ size: Type.Number(), unit: Type.String() }), { minItems: 1, maxItems: 2 }),
  ),
  'a/b~c': Type.Optional(Type.Integer({ maximum: 10 })),
});

/** What the real validator reports, read as the error handler reads it. */
async function wordsFor(schema: TSchema, input: unknown): Promise<[path: string, word: string][]> {
  const server = fastify({ ajv: { customOptions: { coerceTypes: false, allErrors: true, removeAdditional: false } } });
  server.post('/', { schema: { body: schema } }, async () => 'fine');
  let faults: FastifySchemaValidationError[] = [];
  server.setErrorHandler((fault: { validation?: FastifySchemaValidationError[] }, _request, reply) => {
    faults = fault.validation ?? [];
    return reply.code(422).send();
  });
  await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  });
  await server.close();
  return schemaRefusals(faults, input, schema).map(({ path, code }) => [path.join('.'), code]);
}

const GOOD = { name: 'four', amount: 1, kind: 'a' };

describe('what a schema refuses', () => {
  it.each([
    ['nothing', GOOD, []],
    ['a missing field', { amount: 1, kind: 'a' }, [['name', 'blank']]],
    ['null', { ...GOOD, name: null }, [['name', 'blank']]],
    ['an empty text', { ...GOOD, name: '' }, [['name', 'blank']]],
    ['a short text', { ...GOOD, name: 'ab' }, [['name', 'too_short']]],
    ['a long text', { ...GOOD, name: 'abcdef' }, [['name', 'too_large']]],
    ['another type', { ...GOOD, name: 7 }, [['name', 'invalid']]],
    ['a text for a truth value', { ...GOOD, flag: 'false' }, [['flag', 'invalid']]],
    ['a value outside of a list', { ...GOOD, kind: 'c' }, [['kind', 'not_in_list']]],
    ['no branch of a union', { ...GOOD, amount: {} }, [['amount', 'invalid']]],
    ['an empty list', { ...GOOD, parts: [] }, [['parts', 'blank']]],
    [
      'an element of a list',
      { ...GOOD, parts: [{ size: 'x' }] },
      [
        ['parts.0.size', 'invalid'],
        ['parts.0.unit', 'blank'],
      ],
    ],
    ['a name with signs of a pointer', { ...GOOD, 'a/b~c': 11 }, [['a/b~c', 'too_large']]],
    ['a list for an object', [], [['', 'invalid']]],
  ])('is told in one word: %s', async (_, input, expected) => {
    expect(await wordsFor(Thing, input)).toEqual(expected);
  });

  it('is told in the order of the fields, all at once', async () => {
    const input = { 'a/b~c': 'x', parts: [{ size: 1, unit: 'm' }, { size: 'x' }, 7], flag: 0, kind: null };
    expect(await wordsFor(Thing, input)).toEqual([
      ['name', 'blank'],
      ['amount', 'blank'],
      ['kind', 'blank'],
      ['flag', 'invalid'],
      ['parts', 'too_large'],
      ['parts.1.size', 'invalid'],
      ['parts.1.unit', 'blank'],
      ['parts.2', 'invalid'],
      ['a/b~c', 'invalid'],
    ]);
  });

  it('names numbers of a list as numbers and names of an object as names', () => {
    const fault = { keyword: 'type', instancePath: '/parts/0/size', params: {} };
    expect(schemaRefusals([fault], { parts: [{ size: 'x' }] }, Thing)).toEqual([
      { code: 'invalid', path: ['parts', 0, 'size'] },
    ]);
    expect(schemaRefusals([fault], { parts: { 0: { size: 'x' } } }, Thing)).toEqual([
      { code: 'invalid', path: ['parts', '0', 'size'] },
    ]);
  });
});
