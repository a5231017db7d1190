/** Spec: Errors. Every failure is JSON with a clear status, never a 500 for bad input and never a stack. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_DEPTH } from '../../server/src/http/body.ts';
import { OutcomeUnknown, Overloaded } from '../../server/src/kernel/batch.ts';
import { CommitUnknown, type Database, DatabaseUnavailable } from '../../server/src/kernel/database.ts';
import { freshDatabase } from '../support/database.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const account = await makeAccount(db);
const edge = await startEdge({ db, routes: [echoRoutes(db)], flags: { httpBodyLimitBytes: '2048' } });
const caller = callerOf(edge, account);

let failing: Error | undefined;
/** A database that fails as it is told, once the key is known. */
const failingDb: Database = { ...db, inTx: (work) => (failing ? Promise.reject(failing) : db.inTx(work)) };
const failingEdge = await startEdge({ db: failingDb });

describe('a body', () => {
  it.each([
    ['cut off', '{"a":1'],
    ['of two values', '{} {}'],
    ['with a comma too many', '[1,]'],
    ['of plain text', 'hello'],
    ['of invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['with a byte order mark', '\ufeff{}'],
  ])('%s is answered with 400', async (_, rawBody) => {
    const answer = await caller.post('/v1/bare', undefined, { rawBody });
    expect(answer).toMatchObject({ status: 400, body: { status: 400, error: 'the body is not JSON in UTF-8' } });
  });

  it('nested deeper than the bound is answered with 400', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect((await caller.post('/v1/bare', undefined, { rawBody: nested(MAX_BODY_DEPTH) })).status).toBe(200);
    expect((await caller.post('/v1/bare', undefined, { rawBody: nested(MAX_BODY_DEPTH + 1) })).status).toBe(400);
  });

  it('with a NUL character is refused on its field, and an address with one is answered with 400', async () => {
    const invalid = [{ error: 'invalid' }];
    expect(await caller.post('/v1/bare', { a: 'x\u0000y' })).toMatchObject({
      status: 422,
      body: { object: { a: 'x\u0000y', errors: { a: invalid } }, errors: { a: invalid } },
    });
    expect(await caller.post('/v1/things', { thing: { name: '\u0000', kind: 'small' } })).toMatchObject({
      status: 422,
      body: { object: { kind: 'small', errors: { name: invalid } }, errors: { name: invalid } },
    });
    expect(await caller.post('/v1/lists', { debit: { name: '\u0000', kind: 'small' } })).toMatchObject({
      status: 422,
      body: { object: [{ kind: 'small', errors: { name: invalid } }], errors: { '0.name': invalid } },
    });
    expect((await caller.get('/v1/accounts/USD%00')).status).toBe(400);
    expect((await caller.get('/v1/things?state=%00')).status).toBe(400);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'application/xml', 'nonsense'])(
    'of content type %s is answered with 415',
    async (type) => {
      const answer = await caller.post('/v1/bare', {}, { headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 415, body: { status: 415 } });
    },
  );

  it('without a content type is answered with 415', async () => {
    expect((await caller.post('/v1/bare', {}, { headers: { 'content-type': null } })).status).toBe(415);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json ;x=1'])(
    'of content type %s is taken',
    async (type) => {
      expect((await caller.post('/v1/bare', {}, { headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  it('is answered with 413 when it is larger than the bound, whether its length is told or not', async () => {
    const rawBody = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    expect((await caller.post('/v1/bare', undefined, { rawBody: rawBody(2_048) })).status).toBe(200);
    const large = { rawBody: rawBody(2_049) };
    expect(await caller.post('/v1/bare', undefined, large)).toMatchObject({ status: 413, body: { status: 413 } });
    const chunked = { ...large, headers: { 'content-length': null, 'transfer-encoding': 'chunked' } };
    expect((await caller.post('/v1/bare', undefined, chunked)).status).toBe(413);
  });

  it('cannot reach into a prototype', async () => {
    const answer = await caller.post('/v1/bare', undefined, { rawBody: '{"__proto__":{"x":1},"a":2}' });
    expect(answer.body).toEqual({ object: { a: 2 } });
  });
});

describe('a field', () => {
  it('that a schema refuses is named, all of them at once, in the order of the fields', async () => {
    const thing = { parts: [{ size: 1 }, { size: 'x' }], count: 'false', kind: 'huge', name: '', extra: 1 };
    const answer = await caller.post('/v1/things', { thing });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      object: {
        ...thing,
        errors: {
          name: [{ error: 'blank' }],
          kind: [{ error: 'not_in_list' }],
          count: [{ error: 'invalid' }],
          'parts.1.size': [{ error: 'invalid' }],
        },
      },
      errors: {
        name: [{ error: 'blank' }],
        kind: [{ error: 'not_in_list' }],
        count: [{ error: 'invalid' }],
        'parts.1.size': [{ error: 'invalid' }],
      },
    });
    expect(Object.keys(Object(answer.body).errors)).toEqual(['name', 'kind', 'count', 'parts.1.size']);
  });

  it.each([
    ['no envelope', {}, {}, { thing: [{ error: 'blank' }] }],
    ['an empty object', { thing: {} }, {}, { name: [{ error: 'blank' }], kind: [{ error: 'blank' }] }],
    ['a text in place of the object', { thing: 'x' }, {}, { thing: [{ error: 'invalid' }] }],
    ['null in place of the object', { thing: null }, {}, { thing: [{ error: 'blank' }] }],
  ])('is told for %s', async (_, body, object, errors) => {
    expect(await caller.post('/v1/things', body)).toMatchObject({ status: 422, body: { object, errors } });
  });

  it.each(['[]', '"x"', 'null', '7'])('is told for the body %s too', async (rawBody) => {
    expect((await caller.post('/v1/things', undefined, { rawBody })).status).toBe(422);
  });

  it('of an endpoint that answers with lists is told in a list', async () => {
    const one = await caller.post('/v1/lists', { debit: { kind: 'small' } });
    expect(one).toMatchObject({ status: 422, body: { object: [{ errors: { name: [{ error: 'blank' }] } }] } });
    const none = await caller.post('/v1/lists', {});
    expect(none).toMatchObject({ status: 422, body: { object: [], errors: { debit: [{ error: 'blank' }] } } });
    const query = await caller.get('/v1/things?page=x');
    expect(query).toMatchObject({ status: 422, body: { object: [], errors: { page: [{ error: 'invalid' }] } } });
  });
});

describe('an address', () => {
  it.each([
    '/v1/nothing',
    '/',
    '/v1',
    '/v1/accounts/',
    '/V1/accounts',
    '/v1//accounts',
    `/v1/accounts/${'x'.repeat(500)}`,
  ])('that leads nowhere is answered with 404, without a redirect: %s', async (path) => {
    const answer = await caller.get(path);
    expect(answer).toMatchObject({ status: 404, body: { status: 404, error: 'there is nothing at this address' } });
    expect(answer.headers).not.toHaveProperty('location');
  });

  it('is answered with 404 for a method that it does not have', async () => {
    for (const method of ['PUT', 'POST', 'HEAD', 'OPTIONS']) {
      expect((await caller.send(method, '/v1/accounts')).status).toBe(404);
    }
  });

  it('that cannot be read is answered with 400', async () => {
    expect(await caller.get('/v1/accounts/%E0%A4')).toMatchObject({ status: 400, body: { status: 400 } });
  });
});

describe('a request that is not HTTP', () => {
  // What a proxy and the service could read as two different requests is read as none.
  const POST = 'POST /v1/bare HTTP/1.1\r\nhost: x\r\n';

  it.each([
    ['nonsense', 'HELLO\r\n\r\n', 400],
    ['two lengths', 'POST /v1/bare HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
    ['a length beside chunks', `${POST}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a length with a sign', `${POST}content-length: +4\r\n\r\nabcd`, 400],
    ['a coding that nobody can read', `${POST}transfer-encoding: chunked, identity\r\n\r\nabcd`, 400],
    ['lines that end in half', 'GET /health/live HTTP/1.1\nhost: x\n\n', 400],
    ['a header over two lines', 'GET /health/live HTTP/1.1\r\nhost: x\r\n folded: y\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('because of %s gets a JSON answer with a request id', async (_, text, status) => {
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status });
  });
});

describe('a fault', () => {
  it('is answered with 500 and nothing about its cause, which is in the log with the request id', async () => {
    const answer = await caller.post('/v1/broken');
    expect(answer).toMatchObject({ status: 500, body: { status: 500, error: 'internal error' } });
    expect(answer.text).not.toMatch(/swordfish|at /);
    const line = edge.logged.find((one) => one.includes('request failed'));
    expect(line).toContain(answer.headers['x-request-id']);
    expect(line).toContain('echo-routes.ts');
  });

  it.each([
    ['the database is away', new DatabaseUnavailable('away'), 'nothing was done'],
    ['too many commands wait', new Overloaded('full'), 'nothing was done'],
    ['the outcome is unknown', new OutcomeUnknown('?'), 'not known yet'],
    ['the commit is unknown', new CommitUnknown('?'), 'not known yet'],
  ])('is answered with 503 and a time to wait when %s', async (_, fault, text) => {
    const failed = callerOf(failingEdge, account);
    expect((await failed.get('/v1/accounts')).status).toBe(200);
    failing = fault;
    const answer = await failed.get('/v1/accounts');
    failing = undefined;
    expect(answer).toMatchObject({ status: 503, body: { status: 503 }, headers: { 'retry-after': '1' } });
    expect(answer.text).toContain(text);
  });
});

function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(edge.baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
