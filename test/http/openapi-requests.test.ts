/** What callers are told about the bodies that they send: each field in words, and examples that work. Spec: Sender. */
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { EVENT_ID, EXAMPLES, TRANSACTION_ID } from '../../server/src/http/openapi/examples.ts';
import type { OpenApi, Schema } from '../../server/src/http/openapi/types.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { toldRequests } from '../docs/told-requests.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument } from '../support/markdown.ts';
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

/** What a provider sends and a test of a webhook have no body of ours to show. */
const WITHOUT_EXAMPLE = [
  'POST /providers/{name}/callbacks',
  'POST /providers/{name}/payin_callbacks',
  'POST /sandbox/webhooks/{id}/test',
];

describe('the examples', () => {
  it('are there wherever there is something to send, and have the form that is described', () => {
    const without = bodies.filter(({ body }) => body?.examples === undefined).map(({ name }) => name);
    expect(without.toSorted()).toEqual(WITHOUT_EXAMPLE);
    const { components } = document;
    for (const { name, body } of bodies) {
      const check = Compile({ ...body?.schema, components });
      for (const { value } of Object.values(body?.examples ?? {})) expect(check.Check(value), name).toBe(true);
    }
  });

  it('are answered with a success when they are sent one after the other', async () => {
    const { caller, accountId } = await app.newAccount({ balances: { USD: 1_000_000n } });
    let ids: Record<string, string> = {};
    for (const [operation, examples] of Object.entries(EXAMPLES)) {
      const [method = '', pattern = ''] = operation.split(' ');
      for (const [name, { value }] of Object.entries(examples)) {
        const [event] = await db.query<{ id: string }>(
          'select event_id as id from events where account_id = $1::uuid limit 1',
          [accountId],
        );
        const rawBody = JSON.stringify(value)
          .replace(TRANSACTION_ID, ids[TRANSACTION_ID] ?? '')
          .replace(EVENT_ID, event?.id ?? '');
        const answer = await caller.send(method, pattern.replace(':id', ids[pattern] ?? ''), undefined, { rawBody });
        expect(answer.status, `${operation} ${name}: ${answer.text}`).toBeLessThan(300);
        ids = { ...ids, ...idsIn(`${operation} ${name}`, Object(answer.body).object) };
      }
    }
  });

  it('are what the guides tell their readers to send', () => {
    const guides = ['docs/integrating.md', 'docs/collections.md'].flatMap((path) => toldRequests(readDocument(path)));
    const told = guides.filter(({ method, status }) => method === 'POST' && status < 300);
    expect(told.length).toBeGreaterThan(3);
    for (const { path, body } of told) expect(valuesOf(`POST ${path}`), path).toContainEqual(JSON.parse(body));
    const registering = /request POST \/v1\/webhooks '([^']+)'/.exec(readDocument('docs/webhooks.md'))?.[1] ?? '';
    expect(valuesOf('POST /v1/webhooks')).toEqual([JSON.parse(registering)]);
    const checks = readDocument('docs/account-validation.md').matchAll(/```json\n(\{ "country".*\})\n```/g);
    expect(valuesOf('POST /v1/account_validations')).toEqual([...checks].map(([, json = '']) => JSON.parse(json)));
  });

  it('are shown on the reference page', async () => {
    const page = await (await fetch(`${app.baseUrl}/reference`)).text();
    for (const examples of Object.values(EXAMPLES)) {
      for (const { summary } of Object.values(examples)) expect(page).toContain(`Example: ${summary}`);
    }
    expect(page).toContain('&quot;external_id&quot;: &quot;invoice-2041&quot;');
  });
});

function valuesOf(operation: string): unknown[] {
  return Object.values(EXAMPLES[operation] ?? {}).map(({ value }) => value);
}

/** Which ids a later example needs of what this one made: by the path that it has, or by the id that it shows. */
function idsIn(example: string, object: unknown): Record<string, string> {
  const { id, recipients = [], payin_methods: payins = [] } = Object(object);
  switch (example) {
    case 'POST /v1/senders person':
      return { '/v1/senders/:id': id };
    case 'POST /v1/payout_methods bank':
      return { '/v1/payout_methods/:id': id };
    case 'POST /v1/transactions payout':
      return { [TRANSACTION_ID]: id, '/v1/recipients/:id': recipients[0].id };
    case 'POST /v1/transactions collection':
      return { '/v1/transactions/:id/payin': id, '/v1/payin_methods/:id': payins[0].id };
    default:
      return {};
  }
}
