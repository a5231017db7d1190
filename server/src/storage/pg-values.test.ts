import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { arrayLiteral, pgValue } from './pg-values.ts';

const RUNS = 1_000;
const { db } = await freshDatabase();

describe('a list', () => {
  it.each<[string, Parameters<typeof arrayLiteral>[0], string]>([
    ['of nothing', [], '{}'],
    ['of ids', ['01a1dd35-00df-7280-acc5-78694251ecda'], '{01a1dd35-00df-7280-acc5-78694251ecda}'],
    ['with null', ['a', null], '{a,NULL}'],
    ['with the word null', ['null', 'NULL'], '{"null","NULL"}'],
    ['with an empty text', [''], '{""}'],
    ['with commas, braces and spaces', ['a,b', '{c}', ' d '], '{"a,b","{c}"," d "}'],
    ['with quotes and backslashes', ['say "hi"', 'c:\\d'], '{"say \\"hi\\"","c:\\\\d"}'],
    ['with line breaks and tabs', ['a\n"b"\t\u001f'], '{"a\n\\"b\\"\t\u001f"}'],
    ['with signs beyond the basic plane', ['"💶"', '\u2028'], '{"\\"💶\\"","\u2028"}'],
    ['of numbers', [1, -2n, true], '{1,-2,true}'],
    ['of times', [new Date('2026-01-02T03:04:05.678Z')], '{"2026-01-02T03:04:05.678Z"}'],
  ])('%s is written as PostgreSQL reads it', (_, list, literal) => {
    expect(arrayLiteral(list)).toBe(literal);
    expect(pgValue(list)).toBe(literal);
  });

  it('comes back from the database as it was sent, whatever its texts are', async () => {
    const texts = fc.array(
      fc.option(
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
        { nil: null },
      ),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (list) => {
        const [row] = await db.query<{ list: (string | null)[] }>('select $1::text[] as list', [list]);
        expect(row?.list).toEqual(list);
      }),
      { numRuns: RUNS },
    );
  });

  it('of bytes and of times comes back too', async () => {
    const bytes = Buffer.from([0, 1, 92, 34, 255]);
    const time = new Date('1999-12-31T23:59:59.999Z');
    const [row] = await db.query<{ bytes: Buffer[]; times: Date[] }>(
      'select $1::bytea[] as bytes, $2::timestamptz[] as times',
      [[bytes], [time]],
    );
    expect(row?.bytes).toEqual([bytes]);
    expect(row?.times).toEqual([time]);
  });
});

it('everything that is no list is left to the driver', () => {
  expect([pgValue('x'), pgValue(1), pgValue(null), pgValue(2n)]).toEqual(['x', 1, null, 2n]);
});
