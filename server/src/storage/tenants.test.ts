import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountIdsOf } from './tenants.ts';

const SOURCES = join(import.meta.dirname, '..');
const MIGRATIONS = join(SOURCES, '..', 'migrations');

function textsOf(directory: string, isMeant: RegExp): (readonly [file: string, text: string])[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => isMeant.test(file));
  return files.map((file) => [file, readFileSync(join(directory, file), 'utf8')] as const);
}

/** Template texts of the program in which this occurs. */
function statementsWith(what: RegExp): (readonly [file: string, text: string])[] {
  return textsOf(SOURCES, /(?<!\.test)\.ts$/).flatMap(([file, source]) =>
    (source.match(/`[^`]*`/g) ?? []).filter((text) => what.test(text)).map((text) => [file, text] as const),
  );
}

it.each([
  ['no rows', [], []],
  ['one tenant', ['acme', 'acme'], ['acme']],
  ['several tenants', ['bolt', 'acme', 'bolt'], ['bolt', 'acme']],
])('a statement names each account of %s once', (_, accounts, named) => {
  expect(accountIdsOf(accounts.map((accountId) => ({ accountId })))).toEqual(named);
});

describe('every statement that leaves the accounts to its list of keys', () => {
  const statements = statementsWith(/\$\{onNodeOf\(/);

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

describe('every statement on the rows of several accounts', () => {
  const tables = new Set(
    textsOf(MIGRATIONS, /\.sql$/).flatMap(([, text]) =>
      [...text.matchAll(/^create table (\w+) \(\s+account_id/gm)].map(([, table]) => table),
    ),
  );
  const statements = statementsWith(/\$\{onNodeOf\(|= any\(\$1::uuid\[\]\)/);

  it('is found', () => {
    expect(tables.size).toBeGreaterThan(20);
    expect(statements.length).toBeGreaterThan(60);
  });

  it.each(statements)('names the accounts for each table that it joins: %s', (_, text) => {
    const joined = text.matchAll(/\b(?:from|join|update)\s+(\w+)\s+(?!where\b)(\w+)/g);
    const aliases = [...joined].filter(([, table]) => tables.has(table)).map(([, , alias = '']) => alias);
    const named = text.matchAll(/\bonNodeOf\('(\w+)'\)|\b(\w+)\.account_id = any\(\$1/g);
    const left = [...named].map(([, marked, plain]) => marked ?? plain ?? '');
    for (const alias of aliases) {
      expect(left, `accounts of ${alias}`).toContain(alias);
      left.splice(left.indexOf(alias), 1);
    }
  });
});
