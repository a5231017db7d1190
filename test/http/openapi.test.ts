/** The description of the interface: whole, true to the routes, valid as OpenAPI 3.1, and readable. Spec: Endpoints. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS, TAGS } from '../../server/src/http/openapi/operations.ts';
import type { OpenApi, Operation } from '../../server/src/http/openapi/types.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { echoRoutes } from './echo-routes.ts';
import { startEdge } from './edge.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const document = await documentAt(app.baseUrl);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

async function documentAt(baseUrl: string): Promise<OpenApi> {
  const answer = await fetch(`${baseUrl}/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return JSON.parse(await answer.text());
}

const namesIn = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

/** Every object in the document, with where it is. */
function* walk(value: unknown, place = '#'): Generator<{ place: string; value: object }> {
  if (typeof value !== 'object' || value === null) return;
  yield { place, value };
  for (const [key, inside] of Object.entries(value)) yield* walk(inside, `${place}/${key}`);
}

/** Published so: everything that they need is in the path. */
const WITHOUT_BODY = ['POST /v1/transactions/{id}/payout', 'POST /v1/payin_methods/{id}/retry'];

describe('the description', () => {
  it('has every route of the server, and the table of words describes each of them and no other', () => {
    const rows = Object.keys(OPERATIONS).map((key) => key.replace(/:([a-z_]+)/g, '{$1}'));
    expect(namesIn(document).toSorted()).toEqual(rows.toSorted());
  });

  it('misses no route, also of those that are added by others', async () => {
    const edge = await startEdge({ db, routes: [echoRoutes(db)] });
    const described = namesIn(await documentAt(edge.baseUrl));
    expect(described.toSorted()).toEqual(routesOf(edge.server.printRoutes({ commonPrefix: false })).toSorted());
    expect(described).toContain('POST /v1/things');
  });

  it('numbers the endpoints of the specification that are served, each once but for the second form of 13', () => {
    const numbers = Object.values(OPERATIONS).flatMap(({ endpoint }) => endpoint ?? []);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([...new Set([...numbers, 13]), 13].toSorted((a, b) => a - b));
    expect(Math.max(...numbers)).toBeLessThanOrEqual(15);
  });

  it('says who it is and where calls go', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Payferry' }, servers: [{ url: '/' }] });
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
    const edge = await startEdge({ db, flags: { publicUrl: 'https://pay.example' } });
    expect((await documentAt(edge.baseUrl)).servers).toEqual([{ url: 'https://pay.example' }]);
  });

  it('tells receivers from which addresses webhooks come, where the operator has stated them', async () => {
    expect(document.info.description).toContain('No source addresses are stated');
    const flags = { webhooksSourceAddresses: '203.0.113.7, 2001:db8:5::/48' };
    const edge = await startEdge({ db, flags });
    const { description } = (await documentAt(edge.baseUrl)).info;
    expect(description).toContain('from these addresses only');
    expect(description).toContain('203.0.113.7\n2001:db8:5::/48');
    expect(await (await fetch(`${edge.baseUrl}/reference`)).text()).toContain('203.0.113.7\n2001:db8:5::/48');
  });

  it('asks for the three headers wherever a call is authenticated, and tells how to sign', () => {
    const schemes = document.components.securitySchemes;
    expect(Object.values(schemes).map(({ type, in: place, name }) => [type, place, name])).toEqual([
      ['apiKey', 'header', 'Authorization-Key'],
      ['apiKey', 'header', 'Authorization-Nonce'],
      ['apiKey', 'header', 'Authorization-Signature'],
    ]);
    for (const { name, path, operation } of operations) {
      const isOpen = !/^\/(v1|sandbox)\//.test(path) && path !== '/info/currencies/out';
      expect(operation.security, name).toEqual(
        isOpen ? [] : [Object.fromEntries(Object.keys(schemes).map((scheme) => [scheme, []]))],
      );
      const mustProve = !isOpen || path.startsWith('/providers/');
      expect(Object.keys(operation.responses).includes('401'), name).toBe(mustProve);
    }
    expect(document.info.description).toContain('HMAC-SHA512');
  });
});

/** `└── /v1/accounts (GET)` and the like, one line for each path. */
function routesOf(printed: string): string[] {
  const parents: string[] = [];
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] = /^(.*?[├└]── )(\S*)(?: \((.+)\))?$/.exec(line) ?? [];
    if (indent === '') return [];
    const depth = indent.length / 4;
    parents.splice(depth - 1, parents.length, `${parents[depth - 2] ?? ''}${part}`);
    const path = parents[depth - 1]?.replace(/:([a-z_]+)/g, '{$1}');
    return methods?.split(', ').map((method) => `${method} ${path}`) ?? [];
  });
}

describe('as OpenAPI 3.1', () => {
  it('every reference leads somewhere in the document, and every named part is used', () => {
    const refs = [...walk(document)].flatMap(({ place, value }) =>
      '$ref' in value && !place.endsWith('/properties') ? [String(value.$ref)] : [],
    );
    const named = [
      ...Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(document.components.responses).map((name) => `#/components/responses/${name}`),
      ...Object.keys(document.components.headers).map((name) => `#/components/headers/${name}`),
    ];
    expect([...new Set(refs)].toSorted()).toEqual(named.toSorted());
  });

  it('payin methods have a name wherever they stand, as payout methods do', () => {
    const { schemas } = document.components;
    const [sent, shown] = [schemas['NewTransaction'], schemas['Transaction']].map(
      (schema) => schema?.properties?.['payin_methods']?.items,
    );
    expect([sent, shown]).toEqual([
      { $ref: '#/components/schemas/NewPayinMethod' },
      { $ref: '#/components/schemas/PayinMethod' },
    ]);
    const places = [...walk(document.paths)].filter(
      ({ value }) => '$ref' in value && String(value.$ref).endsWith('/PayinMethod'),
    );
    expect(places.length).toBe(operations.filter(({ path }) => path.startsWith('/v1/payin_methods/')).length);
  });

  it('keeps what providers call apart from what anybody may call', () => {
    const ofProviders = operations.filter(({ path }) => path.startsWith('/providers/'));
    expect(ofProviders.map(({ operation }) => operation.tags)).toEqual([['Providers'], ['Providers']]);
  });

  it('every operation has its own id, a known tag, words, and an answer', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags: string[] = TAGS.map(({ name }) => name);
    for (const { name, operation } of operations) {
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
      expect(tags, name).toContain(operation.tags[0]);
      expect(operation.summary.length, name).toBeGreaterThan(5);
      expect(operation.description, name).toMatch(/\.\)?$/);
      expect(
        Object.keys(operation.responses).filter((status) => /^20[01]$/.test(status)),
        name,
      ).toHaveLength(1);
    }
  });

  it('the parameters of a path are the ones that its operations describe, all required', () => {
    for (const { name, path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(
        inPath.map((parameter) => `{${parameter.name}}`),
        name,
      ).toEqual(path.match(/\{[^}]+\}/g) ?? []);
      expect(
        inPath.every(({ required }) => required),
        name,
      ).toBe(true);
    }
  });

  it('every answer and every body has a schema, and only calls that write have a body', () => {
    for (const { name, operation } of operations) {
      expect(operation.requestBody !== undefined, name).toBe(
        /^(POST|PATCH)/.test(name) && !WITHOUT_BODY.includes(name),
      );
      for (const content of contentsOf(operation)) expect(content.schema, name).toBeTypeOf('object');
    }
  });

  it('schemas use only types that JSON Schema knows, and require only fields that they have', () => {
    const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
    for (const { place, value } of walk(document.components.schemas)) {
      if (place.endsWith('/properties')) continue;
      if ('type' in value) expect(types, place).toContain(value.type);
      if ('required' in value && 'properties' in value) {
        expect(Object.keys(Object(value.properties)), place).toEqual(expect.arrayContaining(Object(value.required)));
      }
    }
  });
});

describe('failures', () => {
  const responseOf = (operation: Operation, status: string) => {
    const response = operation.responses[status];
    if (response === undefined || !('$ref' in response)) return response;
    return document.components.responses[response.$ref.slice('#/components/responses/'.length)];
  };

  it('can be met at every operation, and have one form', () => {
    const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
    for (const { name, operation } of operations) {
      expect(responseOf(operation, 'default')?.content, name).toEqual(problem);
    }
    const words = document.components.responses['AnyFailure']?.description;
    for (const status of [400, 408, 413, 415, 431, 500]) expect(words).toContain(`${status} (`);
  });

  it('by too many calls are told where calls are counted, with the headers of the limit, and nowhere else', () => {
    const counted = operations.filter(({ operation }) => '429' in operation.responses);
    expect(counted.map(({ name }) => name).toSorted()).toEqual([
      'GET /info/currencies/out',
      'GET /v1/accounts',
      'GET /v1/accounts/{currency}',
      'GET /v1/info/currencies',
      'GET /v1/info/currencies/in',
      'GET /v1/info/currencies/out',
      'GET /v1/transactions/{id}',
    ]);
    const limit = ['Name', 'Limit', 'Remaining', 'Reset'].map((word) => `X-Soft-Limit-${word}`);
    for (const { operation } of counted) {
      const headersOf = (status: string) => Object.keys(responseOf(operation, status)?.headers ?? {});
      expect(headersOf('429')).toEqual(['X-Request-Id', 'Retry-After', ...limit]);
      expect(headersOf('200')).toEqual(['X-Request-Id', ...limit]);
    }
  });

  it('of files and of callbacks are told, though these need no key', () => {
    const failuresAt = (path: string) =>
      operations
        .filter((one) => one.path === path)
        .flatMap(({ operation }) => Object.keys(operation.responses).filter((status) => status >= '4'));
    expect(failuresAt('/files/{account_id}/{recipient_id}/{file_id}/{form}')).toEqual(['403', '404', '503', 'default']);
    for (const path of ['/providers/{name}/callbacks', '/providers/{name}/payin_callbacks']) {
      expect(failuresAt(path)).toEqual(['400', '401', '404', '503', 'default']);
    }
  });
});

function contentsOf({ requestBody, responses }: Operation) {
  const own = Object.values(responses).flatMap((response) => ('$ref' in response ? [] : [response.content]));
  return [...own, ...(requestBody ? [requestBody.content] : [])].flatMap((content) => Object.values(content));
}

describe('the reference page', () => {
  it('can be read by anybody, loads nothing and runs nothing', async () => {
    const answer = await fetch(`${app.baseUrl}/reference`);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    // Examples show addresses, as text.
    const beside = page.replace(/<pre><code>[^<]*<\/code><\/pre>/g, '');
    expect(beside).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|src=|https?:\/\//i);
  });

  it('has a place for every operation and every schema, and no link leads nowhere', async () => {
    const page = await (await fetch(`${app.baseUrl}/reference`)).text();
    const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors).toEqual(expect.arrayContaining(operations.map(({ operation }) => operation.operationId)));
    expect(anchors).toEqual(
      expect.arrayContaining(Object.keys(document.components.schemas).map((name) => `schema-${name}`)),
    );
    expect(anchors).toEqual(expect.arrayContaining(links));
  });

  it('shows what it is told as text, never as markup', async () => {
    const { html } = await import('../../server/src/http/openapi/html.ts');
    expect(html`<p title="${'"'}">${'<b>&'}</p>`.html).toBe('<p title="&quot;">&lt;b&gt;&amp;</p>');
  });
});
