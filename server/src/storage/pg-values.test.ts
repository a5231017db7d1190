import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { arrayLiteral, listTypesOf, pgValue } from './pg-values.ts';

const { db } = await freshDatabase();

describe('a list as text', () => {
  it.each<[string, Parameters<typeof arrayLiteral>[0], string]>([
    ['of nothing', [], '{}'],
    ['with null', ['a', null], '{"a",NULL}'],
    ['with the word null', ['NULL'], '{"NULL"}'],
    ['with commas, braces and spaces', ['a,b', '{c}', ' d '], '{"a,b","{c}"," d "}'],
    ['with quotes and backslashes', ['say "hi"', 'c:\\d'], '{"say \\"hi\\"","c:\\\\d"}'],
    ['of numbers', [1, -2n, true], '{1,-2,true}'],
    ['of times', [new Date('2026-01-02T03:04:05.678Z')], '{"2026-01-02T03:04:05.678Z"}'],
  ])('%s is written as PostgreSQL reads it', (_, list, literal) => {
    expect(arrayLiteral(list)).toBe(literal);
    expect(pgValue(list)).toBe(literal);
  });

  it('comes back from the database as it was sent', async () => {
    const texts = ['a\n"b"\t\u001f', 'c:\\d', '{e,f}', 'NULL', '', '"💶"', null];
    const bytes = Buffer.from([0, 1, 92, 34, 255]);
    const [row] = await db.query<{ texts: string[]; bytes: Buffer[] }>(
      'select $1::varchar[]::text[] as texts, $2::bytea[] as bytes',
      [texts, [bytes]],
    );
    expect(row).toEqual({ texts, bytes: [bytes] });
  });
});

describe('the statement tells of what its lists are', () => {
  it.each<[string, (string | undefined)[]]>([
    ['select 1 where $1 = 2', []],
    ['select unnest($2::uuid[], $3::text[]) where a = any($1::uuid[])', ['uuid', 'uuid', 'text']],
    ['select $1::text, $2::bigint[]', [undefined, 'bigint']],
    ['select $1::text[], $1::text[]', ['text']],
    ['select $1::text[], $1::uuid[], $1::text[]', [undefined]],
  ])('%s', (statement, types) => {
    expect(Array.from(listTypesOf(statement))).toEqual(types);
  });
});

it('everything that is no list is left to the driver', () => {
  expect([pgValue('x'), pgValue(1), pgValue(null), pgValue(2n)]).toEqual(['x', 1, null, 2n]);
});
