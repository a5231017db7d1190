/** docs/errors.md has one row for each refusal of the code, with the same words, and no other; each can be met. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { REFUSALS } from '../../server/src/kernel/refusal.ts';
import { readDocument, tableUnder } from '../support/markdown.ts';

/** Published words; all others are ours. */
const PUBLISHED = ['blank', 'invalid'];
const SERVICE = fileURLToPath(new URL('../../server/src/', import.meta.url));
const LIST = 'kernel/refusal.ts';

it('the refusals in the document are those of the code', () => {
  expect(tableUnder(readDocument('docs/errors.md'), 'Error words')).toEqual({
    header: ['Code', 'Meaning', 'Origin'],
    rows: Object.entries(REFUSALS).map(([code, meaning]) => [
      code,
      meaning,
      PUBLISHED.includes(code) ? 'published' : 'ours',
    ]),
  });
});

it('each refusal is answered by something outside of the list', () => {
  const names = readdirSync(SERVICE, { recursive: true, encoding: 'utf8' });
  const code = names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== LIST)
    .map((name) => readFileSync(SERVICE + name, 'utf8'))
    .join('\n');
  expect(Object.keys(REFUSALS).filter((word) => !code.includes(`'${word}'`))).toEqual([]);
});
