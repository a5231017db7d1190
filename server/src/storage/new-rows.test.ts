import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { seedAccount } from '../../../test/support/seed.ts';
import { BrokenInvariant } from '../kernel/assert.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { addRows, rowsOf } from './new-rows.ts';

const RUNS = 60;
const ids = timeOrderedIds();
const streamed = await freshDatabase();
const listed = await freshDatabase({ isDistributed: true });

const MAX_BIGINT = 2n ** 63n - 1n;
const ANY_TEXT = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
const ANY_JSON = fc.jsonValue().map((value) => JSON.stringify(value).replaceAll('\\u0000', ''));

/** One column of each type, and one that is left to its default. */
interface Note {
  readonly accountId: string;
  readonly id: string | null;
  readonly text: string | null;
  readonly facts: string | null;
  readonly at: Date | null;
  readonly amount: bigint | null;
  readonly count: number | null;
  readonly place: number | null;
  readonly isOpen: boolean | null;
  readonly words: string | null;
}

const NOTES = rowsOf<Note>('notes', {
  account_id: ['uuid', (note) => note.accountId],
  id: ['uuid', (note) => note.id],
  text: ['text', (note) => note.text],
  facts: ['json', (note) => note.facts],
  at: ['timestamptz', (note) => note.at],
  amount: ['bigint', (note) => note.amount],
  count: ['integer', (note) => note.count],
  place: ['smallint', (note) => note.place],
  is_open: ['boolean', (note) => note.isOpen],
  words: ['words', (note) => note.words],
});

const EMPTY = {
  ...{ id: null, text: null, facts: null, at: null, amount: null, count: null, place: null, isOpen: null },
  words: null,
};

/** An account in both databases. */
const accountId = ids.next();
for (const { db } of [streamed, listed]) {
  await seedAccount(db, { next: () => accountId }, { now: new Date(), balances: {} });
  await db.execute(`create table notes (account_id uuid not null, id uuid unique, text text, facts json, at timestamptz,
    amount bigint, count integer, place smallint, is_open boolean, words text[], untold text default 'as it is')`);
}

const SIDES = [
  ['as a stream', streamed],
  ['by a statement with lists', listed],
] as const;

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const ANY_NOTE = fc.record({
  accountId: fc.constant(accountId),
  id: fc.constant(null),
  text: orNull(ANY_TEXT),
  facts: orNull(ANY_JSON),
  at: orNull(fc.date({ min: new Date('1720-01-01'), max: new Date('2280-01-01'), noInvalidDate: true })),
  amount: orNull(fc.bigInt({ min: -MAX_BIGINT, max: MAX_BIGINT })),
  count: orNull(fc.integer()),
  place: fc.constant(null),
  isOpen: orNull(fc.boolean()),
  words: orNull(fc.array(fc.stringMatching(/^[a-zé]{1,9}$/), { maxLength: 4 }).map((words) => words.join(' '))),
});

type Side = typeof streamed;

/** Each has its place among them, to be found in that order again. */
const add = ({ db }: Side, notes: readonly Note[]) =>
  db.inTx((tx) =>
    addRows(
      tx,
      NOTES,
      notes.map((note, place) => ({ ...note, place })),
    ),
  );
const stored = ({ db }: Side) =>
  db.query(`select account_id, id, text, facts::text as facts, at, amount, count, place, is_open, words, untold
    from notes order by place`);

describe('rows that are added', () => {
  it('are the same as a stream and by a statement with lists', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ANY_NOTE, { maxLength: 12 }), async (notes) => {
        const found: object[][] = [];
        for (const [, side] of SIDES) {
          await side.db.execute('truncate notes');
          await add(side, notes);
          found.push(await stored(side));
        }
        expect(found[0]).toEqual(found[1]);
        expect(found[0]?.map((row) => ({ ...row, words: undefined }))).toEqual(
          notes.map((note, place) => ({
            ...{ account_id: accountId, id: null, text: note.text, facts: note.facts, at: note.at },
            ...{ amount: note.amount, count: note.count, place, is_open: note.isOpen },
            untold: 'as it is',
            words: undefined,
          })),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it.each(SIDES)('%s may have lists of words', async (_, side) => {
    await side.db.execute('truncate notes');
    const words = ['', 'one', 'one and two'];
    await add(
      side,
      words.map((each) => ({ ...EMPTY, accountId, words: each })),
    );
    expect((await stored(side)).map((row) => ('words' in row ? row.words : undefined))).toEqual([
      [],
      ['one'],
      ['one', 'and', 'two'],
    ]);
  });

  it.each(SIDES)('%s may be larger than what is kept ready for them', async (_, side) => {
    await side.db.execute('truncate notes');
    const texts = ['ä'.repeat(50_000), '', 'x'.repeat(5_000_000), 'end'];
    await add(
      side,
      texts.map((text) => ({ ...EMPTY, accountId, text })),
    );
    expect((await stored(side)).map((row) => ('text' in row ? row.text : undefined))).toEqual(texts);
  });

  it.each(SIDES)('%s are refused as a whole when one is, and the connection goes on', async (_, side) => {
    await side.db.execute('truncate notes');
    const id = ids.next();
    await add(side, [{ ...EMPTY, accountId, id }]);
    const again = [ids.next(), id].map((each) => ({ ...EMPTY, accountId, id: each }));
    await expect(add(side, again)).rejects.toMatchObject({ code: '23505' });
    expect(await stored(side)).toHaveLength(1);
  });

  it.each(SIDES)('%s are refused by the database when a value does not fit its column', async (_, side) => {
    const asked = add(side, [{ ...EMPTY, accountId, id: 'nonsense' }]);
    await expect(asked).rejects.toMatchObject({ code: '22P02' });
  });

  it.each(SIDES)('%s fail by their own fault, not by that of what is sent along behind them', async (_, side) => {
    const unknown = rowsOf<Note>('no_such_table', {
      account_id: ['uuid', (note) => note.accountId],
      text: ['text', (note) => note.text],
    });
    const asked = side.db.inTx((tx) =>
      Promise.all([addRows(tx, unknown, [{ ...EMPTY, accountId }]), tx.query('select 1 as one')]),
    );
    await expect(asked).rejects.toMatchObject({ code: '42P01' });
    expect(await side.db.query<{ one: number }>('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.each(SIDES)('%s are refused for an account that does not exist', async (_, side) => {
    const stranger = { ...EMPTY, accountId: ids.next() };
    await expect(add(side, [{ ...EMPTY, accountId }, stranger])).rejects.toThrow(BrokenInvariant);
    const inOneTransaction = side.db.inTx(async (tx) => {
      await addRows(tx, NOTES, [{ ...EMPTY, accountId }]);
      await addRows(tx, NOTES, [stranger]);
    });
    await expect(inOneTransaction).rejects.toThrow(BrokenInvariant);
  });

  it('begin with their account', () => {
    expect(() => rowsOf<Note>('notes', { id: ['uuid', (note) => note.id] })).toThrow('begin with their account');
  });
});
