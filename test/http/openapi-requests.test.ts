/** What callers are told about the bodies that they send: each field in words. Spec: Sender. */
import { describe, expect, it } from 'vitest';
import type { OpenApi, Schema } from '../../server/src/http/openapi/types.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const document: OpenApi = JSON.parse(await (await fetch(`${app.baseUrl}/openapi.json`)).text());

const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) =>
    requestBody ? [{ name: `${method.toUpperCase()} ${path}`, body: requestBody.content['application/json'] }] : [],
  ),
);

function named({ $ref = '' }: Schema): Schema | undefined {
  return document.components.schemas[$ref.slice('#/components/schemas/'.length)];
}

/** Every field that can be sent, with its description, its own or that of the schema that it refers to. */
function* fieldsIn(schema: Schema, place: string): Generator<{ place: string; description: string | undefined }> {
  const found = named(schema) ?? schema;
  for (const [name, field] of Object.entries(found.properties ?? {})) {
    const at = `${place}.${name}`;
    yield { place: at, description: field.description ?? named(field)?.description };
    yield* fieldsIn(field, at);
  }
  for (const inside of [...(found.anyOf ?? []), ...(found.items ? [found.items] : [])]) yield* fieldsIn(inside, place);
}

describe('every field of a request', () => {
  it('is described', () => {
    const fields = bodies.flatMap(({ name, body }) => [...fieldsIn(present(body, name).schema, name)]);
    expect(fields.length).toBeGreaterThan(300);
    const silent = fields.filter(({ description = '' }) => !/^.{5,}\.$/.test(description));
    expect(silent).toEqual([]);
  });
});

describe('a new sender', () => {
  const fields = Object.entries(document.components.schemas['NewSender']?.properties ?? {});
  const neededFor = (words: RegExp) =>
    fields.filter(([, { description = '' }]) => words.test(description)).map(([name]) => `${name}: blank`);

  it.each([
    ['a person', { type: 'person' }, /Needed for [^.]*new (sender|person)\b/],
    ['a business', { type: 'business' }, /Needed for [^.]*new (sender|business(?! whose))\b/],
    [
      'a money transfer operator',
      { type: 'business', legal_entity_type: 'mto' },
      /Needed for [^.]*new (sender|business(?! whose)|business whose [^.]*\bmto\b)/,
    ],
  ])('that is %s is told to need exactly the fields that are refused when left out', async (_who, sender, words) => {
    const { caller } = await app.newAccount();
    const answer = await caller.post('/v1/senders', { sender });
    expect(wordsIn(answer).toSorted()).toEqual(neededFor(words).toSorted());
  });

  it('that is a person in WTR2 mode is told the three sets, one of which is enough', async () => {
    const { caller } = await app.newAccount({ terms: { fullKyc: true, wtr2: true } });
    const choice =
      'for a person: identification_number and identification_type; street, city and postal_code; or birth_date.';
    const inSets = fields.filter(([, { description = '' }]) => description.includes(choice)).map(([name]) => name);
    expect(inSets.toSorted()).toEqual(
      ['birth_date', 'city', 'identification_number', 'identification_type', 'postal_code', 'street'].toSorted(),
    );
    const always = { first_name: 'Ada', last_name: 'Example', country: 'GB', documents: [], ip: '::1', metadata: {} };
    for (const set of [{ birth_date: '1990-05-17' }, { street: '1 High Street', city: 'London', postal_code: 'N1' }]) {
      const answer = await caller.post('/v1/senders', { sender: { ...always, ...set } });
      expect(answer.status, answer.text).toBe(200);
    }
  });

  it('is nowhere called optional beside a need', async () => {
    const page = await (await fetch(`${app.baseUrl}/reference`)).text();
    expect(page).toMatch(/<code>birth_date<\/code> <span class="optional">needed at times<\/span>/);
    expect(page).toMatch(/<code>identification_type<\/code> <span class="optional">needed at times<\/span>/);
    expect(page).not.toMatch(/<span class="optional">optional<\/span><\/td>(?:(?!<\/tr>).)*\bneeded\b/is);
  });
});
