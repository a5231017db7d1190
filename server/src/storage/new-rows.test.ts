import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { seedAccount } from '../../../test/support/seed.ts';
import { BrokenInvariant } from '../kernel/assert.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { addRows, rowsOf, WORTH_A_STREAM } from './new-rows.ts';

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
/** So many that they go as a stream where there are streams: these, and empty ones behind them. */
const enough = (notes: readonly Partial<Note>[]): Note[] =>
  [...notes, ...Array.from({ length: WORTH_A_STREAM }, () => ({}))].map((note) => ({ ...EMPTY, accountId, ...note }));

const stored = ({ db }: Side) =>
  db.query(`select account_id, id, text, facts::text as facts, at, amount, count, place, is_open, words, untold
    from notes order by place`);

describe('rows that are added', () => {
  it('are the same as a stream and by a statement with lists', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(ANY_NOTE, { minLength: WORTH_A_STREAM, maxLength: 2 * WORTH_A_STREAM }),
        async (notes) => {
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
        },
      ),
      { numRuns: RUNS },
    );
  });

  it.each(SIDES)('%s may have lists of words', async (_, side) => {
    await side.db.execute('truncate notes');
    const words = ['', 'one', 'one and two'];
    await add(side, enough(words.map((each) => ({ words: each }))));
    const found = (await stored(side)).map((row) => ('words' in row ? row.words : undefined));
    expect(found.slice(0, 4)).toEqual([[], ['one'], ['one', 'and', 'two'], null]);
  });

  it.each(SIDES)('%s may be larger than what is kept ready for them', async (_, side) => {
    await side.db.execute('truncate notes');
    const texts = ['ä'.repeat(50_000), '', 'x'.repeat(5_000_000), 'end'];
    await add(side, enough(texts.map((text) => ({ text }))));
    const found = (await stored(side)).map((row) => ('text' in row ? row.text : undefined));
    expect(found.slice(0, 5)).toEqual([...texts, null]);
  });

  it.each(SIDES)('%s are refused as a whole when one is, and the connection goes on', async (_, side) => {
    await side.db.execute('truncate notes');
    const id = ids.next();
    const notes = enough([{ id }]);
    await add(side, notes);
    await expect(add(side, enough([{ id: ids.next() }, { id }]))).rejects.toMatchObject({ code: '23505' });
    expect(await stored(side)).toHaveLength(notes.length);
  });

  it.each(SIDES)('%s are refused by the database when a value does not fit its column', async (_, side) => {
    const asked = add(side, enough([{ id: 'nonsense' }]));
    await expect(asked).rejects.toMatchObject({ code: '22P02' });
  });

  it.each(SIDES)('%s fail by their own fault, not by that of what is sent along behind them', async (_, side) => {
    const unknown = rowsOf<Note>('no_such_table', {
      account_id: ['uuid', (note) => note.accountId],
      text: ['text', (note) => note.text],
    });
    const asked = side.db.inTx((tx) => Promise.all([addRows(tx, unknown, enough([])), tx.query('select 1 as one')]));
    await expect(asked).rejects.toMatchObject({ code: '42P01' });
    expect(await side.db.query<{ one: number }>('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.each(SIDES)('%s are refused for an account that does not exist', async (_, side) => {
    const withStranger = enough([{ accountId: ids.next() }]);
    await expect(add(side, withStranger)).rejects.toThrow(BrokenInvariant);
    const behindOthers = side.db.inTx(async (tx) => {
      await addRows(tx, NOTES, enough([]));
      await addRows(tx, NOTES, withStranger);
    });
    await expect(behindOthers).rejects.toThrow(BrokenInvariant);
  });

  it.each([
    [WORTH_A_STREAM - 1, 0],
    [WORTH_A_STREAM, 1],
  ])('go as a stream when there are enough of them: %d of them in %d streams', async (count, streams) => {
    let copied = 0;
    await streamed.db.inTx(async (tx) => {
      const copy: typeof tx.copy = (into, rows) => {
        copied += 1;
        return tx.copy?.(into, rows);
      };
      await addRows({ ...tx, copy }, NOTES, enough([]).slice(0, count));
    });
    expect(copied).toBe(streams);
  });

  it('begin with their account', () => {
    expect(() => rowsOf<Note>('notes', { id: ['uuid', (note) => note.id] })).toThrow('begin with their account');
  });
});
