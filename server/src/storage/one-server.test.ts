import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { forOneServer } from './one-server.ts';
import { onNodeOf } from './tenants.ts';

/** It is told that it is distributed, and asks as it is told. */
const { db } = await freshDatabase({ isDistributed: true });

const UPDATE = `update notes n set text = u.text from unnest($2::uuid[], $3::uuid[], $4::text[]) as u (account_id, id, text)
  where ${onNodeOf('n')} and n.account_id = u.account_id and n.id = u.id`;

describe('one server', () => {
  it('is not asked for the accounts again where the list of keys names them', () => {
    expect(forOneServer(UPDATE)).not.toContain('any(');
    expect(forOneServer(UPDATE)).toContain(
      'where $1::uuid[] is not null and n.account_id = u.account_id and n.id = u.id',
    );
  });

  it('is asked for them where a look-up has nothing else to name them', () => {
    const lookUp = 'select n.text from notes n where n.account_id = any($1::uuid[]) and n.id = any($2::uuid[])';
    expect(forOneServer(lookUp)).toBe(lookUp);
  });

  it('reads lists column by column', () => {
    expect(forOneServer(UPDATE)).toContain(
      'from (select unnest($2::uuid[]) as account_id, unnest($3::uuid[]) as id, unnest($4::text[]) as text) u',
    );
  });
});

describe('lists that are read column by column', () => {
  const PLAIN = 'unnest($1::integer[], $2::text[]) as u (number, letter)';
  const NUMBERED = 'unnest($1::integer[], $2::text[]) with ordinality as u (number, letter, place)';
  const CALLED =
    "unnest($1::integer[], string_to_array(array_to_string($2::text[], ' '), chr(32))) as u (number, letter)";

  it.each([
    ['of equal length', PLAIN, [1, 2], ['a', 'b']],
    ['of unequal length', PLAIN, [1, 2, 3], ['a', 'b']],
    ['with nothing in them', PLAIN, [], []],
    ['with nulls', PLAIN, [1, null], [null, 'b']],
    ['that are numbered', NUMBERED, [7, 7], ['a', 'b']],
    ['made by a call in a call', CALLED, [1, 2], ['a', 'b']],
  ])('have the same rows: lists %s', async (_, lists, numbers, letters) => {
    const asWritten = `select * from ${lists}`;
    const asAsked = forOneServer(asWritten);
    expect(asAsked).not.toContain('ordinality');
    expect(asAsked).toContain('(select unnest($1::integer[]) as number, unnest(');
    const places = asWritten.includes('place') ? ', place::bigint' : '';
    const rows = (from: string) => db.query(`select number, letter${places} from (${from}) w`, [numbers, letters]);
    expect(await rows(asAsked)).toEqual(await rows(asWritten));
  });
});

describe('every statement of the program', () => {
  const SOURCES = join(import.meta.dirname, '..');
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.test)\.ts$/.test(file) && !file.endsWith('one-server.ts'),
  );
  const statements = files.flatMap((file) =>
    (readFileSync(join(SOURCES, file), 'utf8').match(/`[^`]*\bunnest\([^`)]*,[^`]*`/g) ?? []).map(
      (text) => [file, text] as const,
    ),
  );

  it('with lists is found', () => expect(statements.length).toBeGreaterThan(50));

  it.each(statements)('has its lists read column by column: %s', (_, text) => {
    const lists = forOneServer(text).match(/\bunnest\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g) ?? [];
    expect(lists.filter((list) => /, \$\d+::/.test(list))).toEqual([]);
  });
});
