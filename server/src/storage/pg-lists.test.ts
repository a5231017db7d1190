import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import type { SqlScalar as Element } from '../kernel/database.ts';
import { binaryList } from './pg-lists.ts';

const RUNS = 200;
const { db } = await freshDatabase();

const MAX_BIGINT = 2n ** 63n - 1n;

/** Every type that has a binary form, and any element of it. */
const TYPES: readonly [string, fc.Arbitrary<Element>][] = [
  ['uuid', fc.uuid()],
  ['text', fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))],
  ['timestamptz', fc.date({ min: new Date('1720-01-01'), max: new Date('2280-01-01'), noInvalidDate: true })],
  ['bigint', fc.bigInt({ min: -MAX_BIGINT, max: MAX_BIGINT })],
  ['integer', fc.integer()],
  ['smallint', fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })],
  ['boolean', fc.boolean()],
];

describe('a list in binary form', () => {
  it.each(TYPES)('of %s is read by the database as it was meant', async (type, element) => {
    const list = fc.array(fc.option(element, { nil: null }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(list, async (elements) => {
        expect(binaryList(type, elements)).toBeInstanceOf(Buffer);
        const [row] = await db.query<{ list: Element[] }>(`select $1::${type}[] as list`, [elements]);
        expect(row?.list).toEqual(elements);
      }),
      { numRuns: RUNS },
    );
  });

  it('holds texts that are longer than what is kept ready for them', async () => {
    const long = ['ä'.repeat(50_000), '', 'x'.repeat(5_000_000), 'end'];
    const [row] = await db.query<{ list: string[] }>('select $1::text[] as list', [long]);
    expect(row?.list).toEqual(long);
    expect((await db.query<{ list: string[] }>('select $1::text[] as list', [['short']]))[0]?.list).toEqual(['short']);
  });

  it.each<[string, string, Element[]]>([
    ['an id with a letter that is no digit', 'uuid', ['01a1dd35-00df-7280-acc5-78694251ecdg']],
    ['an id without dashes', 'uuid', ['01a1dd3500df7280acc578694251ecda']],
    ['an id with a dash too many', 'uuid', ['01a1dd35-00df-7280-acc5-78694251-cda']],
    ['a number for an id', 'uuid', [7]],
    ['a number for a text', 'text', [7]],
    ['a text for a time', 'timestamptz', ['2026-01-01']],
    ['a time that is none', 'timestamptz', [new Date(Number.NaN)]],
    ['a time centuries away', 'timestamptz', [new Date('9999-12-31')]],
    ['an amount that is too large', 'bigint', [2n ** 63n]],
    ['a number for an amount', 'bigint', [1]],
    ['a number that is too large', 'integer', [2 ** 31]],
    ['a part of a number', 'integer', [0.5]],
    ['a number that is too large for two bytes', 'smallint', [2 ** 15]],
    ['a text for yes', 'boolean', ['true']],
    ['a type that has no binary form here', 'numeric', ['1.5']],
  ])('is not made of %s', (_, type, elements) => {
    expect(binaryList(type, elements)).toBeUndefined();
  });

  it('leaves it to the database to refuse what does not fit', async () => {
    const asked = db.query('select $1::uuid[] as list', [['nonsense']]);
    await expect(asked).rejects.toMatchObject({ code: '22P02' });
  });
});
