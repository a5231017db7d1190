import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountIdsOf, forOneServer, onNodeOf } from './tenants.ts';

const SOURCES = join(import.meta.dirname, '..');

it.each([
  ['no rows', [], []],
  ['one tenant', ['acme', 'acme'], ['acme']],
  ['several tenants', ['bolt', 'acme', 'bolt'], ['bolt', 'acme']],
])('a statement names each account of %s once', (_, accounts, named) => {
  expect(accountIdsOf(accounts.map((accountId) => ({ accountId })))).toEqual(named);
});

const JOINED = `update notes n set text = u.text from unnest($2::uuid[], $3::uuid[], $4::text[]) as u (account_id, id, text)
  where ${onNodeOf('n')} and n.account_id = u.account_id and n.id = u.id`;

it('one server is not asked for the accounts again where the list of keys names them', () => {
  expect(forOneServer(JOINED)).not.toContain('any(');
  expect(forOneServer(JOINED)).toContain(
    'where $1::uuid[] is not null and n.account_id = u.account_id and n.id = u.id',
  );
});

it('a look-up by ids alone names its accounts on one server too', () => {
  const lookUp = 'select n.text from notes n where n.account_id = any($1::uuid[]) and n.id = any($2::uuid[])';
  expect(forOneServer(lookUp)).toBe(lookUp);
});

describe('every statement that leaves the accounts to its list of keys', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const statements = files.flatMap((file) =>
    (readFileSync(join(SOURCES, file), 'utf8').match(/`[^`]*\$\{onNodeOf\([^`]*`/g) ?? []).map(
      (text) => [file, text] as const,
    ),
  );

  it('is found', () => expect(statements.length).toBeGreaterThan(40));

  it.each(statements)('joins the account with it: %s', (_, text) => {
    for (const [, alias] of text.matchAll(/\$\{onNodeOf\('(\w+)'\)\}/g)) {
      expect(text).toMatch(
        new RegExp(`\\b${alias}\\.account_id = \\w+\\.account_id|\\w+\\.account_id = ${alias}\\.account_id`),
      );
      expect(text).toContain('unnest($2::uuid[]');
    }
  });
});
