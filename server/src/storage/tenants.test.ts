import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountIdsOf } from './tenants.ts';

const SOURCES = join(import.meta.dirname, '..');

it.each([
  ['no rows', [], []],
  ['one tenant', ['acme', 'acme'], ['acme']],
  ['several tenants', ['bolt', 'acme', 'bolt'], ['bolt', 'acme']],
])('a statement names each account of %s once', (_, accounts, named) => {
  expect(accountIdsOf(accounts.map((accountId) => ({ accountId })))).toEqual(named);
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
