import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { formsOf, textOfOneRow } from './one-row.ts';
import { forOneServer } from './one-server.ts';
import { byKeys } from './tenants.ts';

/** It is told that it is distributed, and asks as it is told. */
const { db } = await freshDatabase({ isDistributed: true });

const UPDATE = `update notes n set text = u.text from unnest($2::uuid[], $3::text[]) as u (id, text) where n.id = u.id`;

/** The statement for values with so many elements in their lists. */
function asked(statement: string, values: Parameters<typeof textOfOneRow>[1]): string | undefined {
  return textOfOneRow(formsOf(forOneServer(statement)), values);
}

describe('a statement about one row', () => {
  it('names the elements of its lists, and makes no set of them', () => {
    expect(asked(UPDATE, [['a'], ['b'], ['c']])).toBe(
      'update notes n set text = u.text ' +
        'from (select ($2::uuid[])[1] as id, ($3::text[])[1] as text) u where n.id = u.id',
    );
  });

  it('puts no keys in order', () => {
    const lookUp = byKeys({ columns: 'n.text', from: 'notes n', id: 'note_id', lock: 'for update' });
    expect(forOneServer(lookUp)).toContain('select distinct');
    const ofOne = asked(lookUp, [['a'], ['a'], ['n']]);
    expect(ofOne).toContain('from (select ($2::uuid[])[1] as account_id, ($3::uuid[])[1] as id) k');
    expect(ofOne).not.toMatch(/distinct|order by/);
    expect(ofOne).toContain('for update');
  });

  it.each([
    ['two elements', [['a'], ['b', 'b'], ['c', 'c']]],
    ['none', [[], [], []]],
    ['one element, and two in another list', [['a'], ['b'], ['c', 'c']]],
  ])('is asked for as ever with lists of %s', (_, values) => {
    expect(asked(UPDATE, values)).toBeUndefined();
  });

  it('is one whatever the lists hold that it reads in another way', () => {
    expect(asked(UPDATE, [['a', 'b'], ['b'], ['c']])).toBeDefined();
  });

  it.each([
    ['a set of a list alone', 'select k.id from unnest($1::uuid[]) as k (id)'],
    ['a set of what is made of a list', "select unnest(string_to_array($1, ' ')) as word, unnest($2::uuid[]) as id"],
    ['no list', 'select 1 as one where $1::uuid[] is not null'],
  ])('is not known in another form: %s', (_, statement) => {
    expect(formsOf(forOneServer(statement))).toEqual({ text: statement });
  });
});

describe('the rows of a statement about one row', () => {
  const PLAIN = 'unnest($1::integer[], $2::text[]) as u (number, letter)';
  const NUMBERED = 'unnest($1::integer[], $2::text[]) with ordinality as u (number, letter, place)';

  it.each([
    ['plain', PLAIN, [1], ['a']],
    ['null', PLAIN, [null], [null]],
    ['numbered', NUMBERED, [7], ['a']],
  ])('are those of a set: %s', async (_, lists, numbers, letters) => {
    const statement = `select u.* from ${lists}`;
    const values = [numbers, letters];
    const ofOne = asked(statement, values) ?? 'unknown';
    expect(ofOne).not.toContain('unnest');
    const places = (text: string) =>
      `select w.*, pg_typeof(w.number)::text, pg_typeof(w.letter)::text from (${text}) w`;
    const rows = async (text: string) => (await db.query<object>(places(text), values)).map(withoutBigints);
    expect(await rows(ofOne)).toEqual(await rows(statement));
  });

  it('are locked and read by their keys', async () => {
    await db.execute(
      'create table notes (account_id uuid, note_id uuid, text text, primary key (account_id, note_id))',
    );
    const [account, note] = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002'];
    await db.execute("insert into notes values ($1::uuid, $2::uuid, 'kept')", [account, note]);
    const lookUp = byKeys({ columns: 'n.text', from: 'notes n', id: 'note_id', lock: 'for update' });
    const read = (id: string) => {
      const values = [[account], [account], [id]];
      return db.inTx((tx) => tx.query(asked(lookUp, values) ?? 'unknown', values));
    };
    expect(await read(note)).toEqual([{ text: 'kept' }]);
    expect(await read(account)).toEqual([]);
  });
});

/** A place is counted in another type, which nobody reads. */
function withoutBigints(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}
