import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parseQuery, readersOf, readQuery } from './query.ts';

describe('a query string', () => {
  it.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=', { a: '' }],
    ['a', { a: '' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a%5B%5D=1', { a: ['1'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a%5B0%5D=1', { a: ['1'] }],
    ['a[x]=1', { 'a[x]': '1' }],
    ['external_id=Transaction%3ANGN%3A17523', { external_id: 'Transaction:NGN:17523' }],
    ['a=b+c%20d', { a: 'b c d' }],
    ['a=Zo%C3%AB', { a: 'Zoë' }],
    ['a=%ff', { a: '\ufffd' }],
    ['a=%', { a: '%' }],
  ])('%j is read as %j', (text, expected) => {
    expect({ ...parseQuery(text) }).toEqual(expected);
  });

  it('is read up to a bound and cannot reach into a prototype', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `k${index}=v`).join('&');
    expect(Object.keys(parseQuery(many))).toHaveLength(200);
    expect(Object.getPrototypeOf(parseQuery('__proto__=1'))).toBeNull();
    expect(Object.entries(parseQuery('__proto__=1'))).toEqual([['__proto__', '1']]);
  });

  it.each([
    ['2018-06-06', '2018-06-06'],
    ['2018-06-06T00:00:00.000Z', '2018-06-06'],
    ['2018-06-06T00:00:00%2B00:00', '2018-06-06'],
    ['2018-06-06T10:00:00.000Z', '2018-06-06T10:00:00.000Z'],
    ['2018-06-31', '2018-06-31'],
  ])(
    'gives of %s the day %s where the schema says that it is one, and leaves other times to be refused',
    (text, day) => {
      const query = parseQuery(`from=${text}`);
      readQuery(query, readersOf(Type.Object({ from: Type.String({ format: 'date' }) })));
      expect({ ...query }).toEqual({ from: day });
    },
  );

  it('gives numbers, truth values and lists where the schema says so, and leaves alone what it cannot read', () => {
    const schema = Type.Object({
      page: Type.Integer(),
      amount_from: Type.Number(),
      active: Type.Boolean(),
      state: Type.Array(Type.String()),
      external_id: Type.String(),
    });
    const read = (text: string) => {
      const query = parseQuery(text);
      readQuery(query, readersOf(schema));
      return { ...query };
    };
    expect(read('page=2&amount_from=1.50&active=true&state=error&external_id=7')).toEqual({
      page: 2,
      amount_from: 1.5,
      active: true,
      state: ['error'],
      external_id: '7',
    });
    expect(read('page=x&amount_from=1e3&active=yes&state=a&state=b')).toEqual({
      page: 'x',
      amount_from: '1e3',
      active: 'yes',
      state: ['a', 'b'],
    });
    expect(read('page=&page=2')).toEqual({ page: ['', '2'] });
    expect(read('page=12345678901234567890')).toEqual({ page: '12345678901234567890' });
  });

  it('needs no schema', () => {
    expect(readersOf(undefined).size).toBe(0);
    expect(readersOf({}).size).toBe(0);
  });
});
