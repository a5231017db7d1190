/** docs/corridors.md is what the files say, and every example on it is accepted by the API. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../server/src/corridors/catalogue.ts';
import { checkInDetails } from '../../server/src/corridors/check-details.ts';
import { corridorsPage } from '../../server/src/corridors/page.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';

const catalogue = loadCatalogue();
const page = readFileSync(new URL('../../docs/corridors.md', import.meta.url), 'utf8');
const { db } = await freshDatabase();
const app = await startApp({ db });
const { caller } = await app.newAccount();

const sections = page
  .split(/^### /m)
  .slice(1)
  .map((text) => ({ title: text.split('\n', 1)[0] ?? '', text }));
const examples = sections.flatMap(({ title, text }) =>
  [...text.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => ({ title, body: JSON.parse(match[1] ?? '') })),
);
const payouts = examples.filter(({ body }) => 'transaction' in body);
const payins = examples.filter(({ body }) => 'in_details' in body);

describe('docs/corridors.md', () => {
  it('is what the corridor files give; `npm run docs` brings it up to date', () => {
    expect(page).toBe(corridorsPage(catalogue));
    expect(page.split('\n', 1)[0]).toMatch(/Generated .*`npm run docs`/);
  });

  it('has a section with a table for every type, and an example for every type of recipient', () => {
    const types = catalogue.payouts().filter(({ kind }) => kind !== 'balance');
    const titles = [...types.map(({ type }) => type), '&lt;CURRENCY>::Balance'];
    expect(sections.map(({ title }) => title)).toEqual([
      ...titles,
      ...catalogue.payins().map(({ type }) => `${type} (payin)`),
    ]);
    expect(payouts).toHaveLength(types.flatMap(({ recipientTypes }) => recipientTypes).length);
    expect(payins).toHaveLength(catalogue.payins().length);
    for (const { text } of sections) expect(text).toMatch(/^\| Field \| For \| Needed \| Value \|$/m);
  });

  it('names in each table exactly the fields of the type', () => {
    for (const corridor of catalogue.payouts().filter(({ kind }) => kind !== 'balance')) {
      const { text } = present(
        sections.find(({ title }) => title === corridor.type),
        corridor.type,
      );
      const named = [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1]);
      const fields = corridor.recipientTypes.flatMap((type) => Object.keys(corridor.fields(type)));
      expect(new Set(named)).toEqual(new Set(fields));
    }
  });

  it.each(payouts)('$title: the example is accepted by calculate', async ({ body }) => {
    const answer = await caller.post('/v1/transactions/calculate', body);
    expect(answer.status, answer.text).toBe(200);
  });

  it.each(payins)('$title: the example passes the rules of the type', ({ body }) => {
    const corridor = catalogue.mustPayin(body.type);
    expect(checkInDetails(corridor, body.in_details).refusals).toEqual([]);
  });
});
