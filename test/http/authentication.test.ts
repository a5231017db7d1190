/** Spec: Authentication. Through a listening server, with real signatures, on a real database. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../server/src/accounts/keys.ts';
import { LARGE_BODY_BYTES } from '../../server/src/http/body-room.ts';
import { freshDatabase } from '../support/database.ts';
import { signByFormula } from '../support/signed-caller.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, makeKey, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const edge = await startEdge({ db, routes: [echoRoutes(db)] });
const otherProcess = await startEdge({ db });
const account = await makeAccount(db);
const caller = callerOf(edge, account);

const MISSING = {
  status: 401,
  error: 'Authorization-Key, Authorization-Nonce and Authorization-Signature are needed, once each',
};
const WRONG = { status: 401, error: 'the key is unknown or the signature is wrong' };
const USED = { status: 401, error: 'the nonce was used before' };

async function storedNonces(): Promise<number> {
  return (await db.query('select 1 from nonces')).length;
}

async function expectRefused(answer: { status: number; body: unknown }, body: object): Promise<void> {
  expect(answer).toMatchObject({ status: 401, body });
}

describe('a call', () => {
  it('is accepted with the right key, nonce and signature', async () => {
    expect(await caller.get('/v1/accounts')).toMatchObject({ status: 200, body: { object: [] } });
    expect(await caller.post('/v1/bare', { a: 'Zoë' })).toMatchObject({ status: 200, body: { object: { a: 'Zoë' } } });
    expect((await caller.delete('/v1/things/1')).status).toBe(200);
  });

  it('is accepted without a body whatever its method, also with a JSON content type', async () => {
    for (const method of ['POST', 'DELETE', 'GET']) {
      const path = method === 'POST' ? '/v1/bare' : method === 'DELETE' ? '/v1/things/1' : '/v1/accounts';
      expect((await caller.send(method, path)).status).toBe(200);
      expect((await caller.send(method, path, undefined, { headers: { 'content-type': null } })).status).toBe(200);
    }
  });

  it.each(['authorization-key', 'authorization-nonce', 'authorization-signature'])(
    'is refused without %s',
    async (name) => {
      await expectRefused(await caller.get('/v1/accounts', { headers: { [name]: null } }), MISSING);
      await expectRefused(await caller.get('/v1/accounts', { headers: { [name]: '' } }), MISSING);
    },
  );

  it.each(['Authorization-Key', 'Authorization-Nonce', 'authorization-signature'])(
    'is refused when %s comes twice, also with the same value',
    async (name) => {
      const nonce = randomUUID();
      const url = `${edge.baseUrl}/v1/accounts`;
      const signature = signByFormula({ nonce, method: 'GET', url, bytes: Buffer.alloc(0), secret: account.secret });
      const values: Record<string, string> = {
        'authorization-key': account.key,
        'authorization-nonce': nonce,
        'authorization-signature': signature,
      };
      const value = values[name.toLowerCase()] ?? '';
      await expectRefused(await caller.get('/v1/accounts', { nonce, extraHeaders: [[name, value]] }), MISSING);
      expect((await caller.get('/v1/accounts', { nonce })).status).toBe(200);
    },
  );

  it('is refused with a wrong secret and with an unknown key by the same words', async () => {
    const wrongSecret = callerOf(edge, { key: account.key, secret: 'wrong' });
    const unknownKey = callerOf(edge, { key: 'key-nobody-has', secret: account.secret });
    await expectRefused(await wrongSecret.get('/v1/accounts'), WRONG);
    await expectRefused(await unknownKey.get('/v1/accounts'), WRONG);
    const other = await makeAccount(db);
    await expectRefused(await callerOf(edge, { key: other.key, secret: account.secret }).get('/v1/accounts'), WRONG);
  });

  it('is refused when the signature covers another method, path, query or body', async () => {
    const url = (path: string) => `${edge.baseUrl}${path}`;
    await expectRefused(await caller.get('/v1/accounts', { signedUrl: url('/v1/accounts/USD') }), WRONG);
    await expectRefused(await caller.get('/v1/things?page=2', { signedUrl: url('/v1/things?page=1') }), WRONG);
    await expectRefused(await caller.get('/v1/things?page=2', { signedUrl: url('/v1/things') }), WRONG);
    const nonce = randomUUID();
    const bytes = Buffer.from('{"a":1}');
    const call = { nonce, url: url('/v1/bare'), bytes, secret: account.secret };
    const forPost = signByFormula({ ...call, method: 'POST' });
    const forPatch = signByFormula({ ...call, method: 'PATCH' });
    await expectRefused(await caller.post('/v1/bare', { a: 1 }, { nonce, signature: forPatch }), WRONG);
    await expectRefused(await caller.post('/v1/bare', { a: 2 }, { nonce, signature: forPost }), WRONG);
    await expectRefused(await caller.post('/v1/bare', undefined, { nonce, signature: forPost }), WRONG);
    expect((await caller.post('/v1/bare', { a: 1 }, { nonce, signature: forPost })).status).toBe(200);
  });

  it('is refused when the signature is written in upper case', async () => {
    const nonce = randomUUID();
    const url = `${edge.baseUrl}/v1/accounts`;
    const signature = signByFormula({ nonce, method: 'GET', url, bytes: Buffer.alloc(0), secret: account.secret });
    await expectRefused(await caller.get('/v1/accounts', { nonce, signature: signature.toUpperCase() }), {
      status: 401,
      error: 'Authorization-Signature is not 128 hex digits in lower case',
    });
    expect((await caller.get('/v1/accounts', { nonce, signature })).status).toBe(200);
  });

  it.each([
    ['empty', '', 401],
    ['of one character', 'x', 200],
    ['of 200 characters', 'n'.repeat(200), 200],
    ['of 201 characters', 'n'.repeat(201), 401],
    ['with a space inside', 'two words', 200],
    ['with a tab inside', 'two\twords', 401],
    ['beyond ASCII', 'nonc\u00e9', 401],
  ])('with a nonce %s is answered as it should be', async (_, nonce, status) => {
    expect((await caller.get('/v1/accounts', { nonce })).status).toBe(status);
  });

  it('that is not authentic leaves nothing behind', async () => {
    const before = await storedNonces();
    const nonce = randomUUID();
    await callerOf(edge, { key: account.key, secret: 'wrong' }).post('/v1/bare', { a: 1 }, { nonce });
    await caller.post('/v1/bare', { a: 1 }, { nonce, headers: { 'authorization-signature': null } });
    expect(await storedNonces()).toBe(before);
    expect((await caller.post('/v1/bare', { a: 1 }, { nonce })).status).toBe(200);
    expect(await storedNonces()).toBe(before + 1);
  });

  it('with a revoked key is refused, while another key of the account goes on', async () => {
    const key = await makeKey(db, account.accountId);
    const revoked = callerOf(edge, key);
    expect((await revoked.get('/v1/accounts')).status).toBe(200);
    await db.inTx((tx) => revokeKey(tx, key.key, new Date()));
    edge.credentials.forget(key.key);
    await expectRefused(await revoked.get('/v1/accounts'), WRONG);
    expect((await caller.get('/v1/accounts')).status).toBe(200);
  });
});

describe('a large body', () => {
  const MEGABYTES = 10 * 1024 * 1024;
  const LARGE = { a: 'x'.repeat(2 * LARGE_BODY_BYTES) };

  /** The answer to headers alone: the megabytes that they announce are never sent. */
  function answerToHeaders(key: string, length: string): Promise<string> {
    const { hostname, port } = new URL(edge.baseUrl);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const signature = 'ab'.repeat(64);
        const credentials = [`authorization-key: ${key}`, `authorization-signature: ${signature}`];
        const others = ['host: x', 'content-type: application/json', `authorization-nonce: ${randomUUID()}`];
        socket.write(['POST /v1/bare HTTP/1.1', ...others, ...credentials, length, '', ''].join('\r\n'));
      });
      socket.once('data', (bytes) => {
        resolve(bytes.toString('utf8'));
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  it.each([`content-length: ${MEGABYTES}`, 'transfer-encoding: chunked'])(
    'is refused before it is sent when nobody has the key, with %s',
    async (length) => {
      const answer = await answerToHeaders('key-nobody-has', length);
      expect(answer).toMatch(/^HTTP\/1.1 401 /);
      expect(answer).toContain(JSON.stringify(WRONG));
    },
  );

  it('is refused before it is sent when the key was revoked', async () => {
    const { key } = await makeKey(db, account.accountId);
    await db.inTx((tx) => revokeKey(tx, key, new Date()));
    const answer = await answerToHeaders(key, `content-length: ${MEGABYTES}`);
    expect(answer).toContain(JSON.stringify(WRONG));
  });

  it('that is sent all the same leaves the connection usable, and its caller hears why', async () => {
    const unknown = callerOf(edge, { key: 'key-nobody-has', secret: 'wrong' });
    for (let call = 0; call < 3; call += 1) await expectRefused(await unknown.post('/v1/bare', LARGE), WRONG);
  });

  it('is taken from the account that signed it, whether its length is told or not', async () => {
    expect((await caller.post('/v1/bare', LARGE)).body).toEqual({ object: LARGE });
    const chunked = { headers: { 'content-length': null, 'transfer-encoding': 'chunked' } };
    expect((await caller.post('/v1/bare', LARGE, chunked)).body).toEqual({ object: LARGE });
    await expectRefused(await callerOf(edge, { key: account.key, secret: 'wrong' }).post('/v1/bare', LARGE), WRONG);
  });
});

describe('a nonce', () => {
  it.each(['/v1/accounts', '/v1/accounts/JPY', '/v1/things?page=x'])('is accepted once by GET %s', async (path) => {
    const nonce = randomUUID();
    expect((await caller.get(path, { nonce })).status).not.toBe(401);
    await expectRefused(await caller.get(path, { nonce }), USED);
  });

  it('is accepted once by an operation, and then by no other call either', async () => {
    const nonce = randomUUID();
    const thing = { thing: { name: 'a', kind: 'small' } };
    expect((await caller.post('/v1/things', thing, { nonce })).status).toBe(201);
    await expectRefused(await caller.post('/v1/things', thing, { nonce }), USED);
    await expectRefused(await caller.get('/v1/accounts', { nonce }), USED);
  });

  it('is remembered by every process on the same database', async () => {
    const other = callerOf(otherProcess, account);
    const nonce = randomUUID();
    expect((await caller.get('/v1/accounts', { nonce })).status).toBe(200);
    await expectRefused(await other.get('/v1/accounts', { nonce }), USED);
  });

  it('is accepted once also when many calls bring it at the same moment to two processes', async () => {
    const other = callerOf(otherProcess, account);
    const nonce = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? caller : other).get('/v1/accounts', { nonce })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(19);
  });

  it('belongs to its key: another account may use the same', async () => {
    const other = callerOf(edge, await makeAccount(db));
    const nonce = randomUUID();
    expect((await caller.get('/v1/accounts', { nonce })).status).toBe(200);
    expect((await other.get('/v1/accounts', { nonce })).status).toBe(200);
  });

  it.each([
    ['is not JSON', 400, { rawBody: '{"thing":' }],
    ['has another content type', 415, { rawBody: 'a=1', headers: { 'content-type': 'text/plain' } }],
    ['is refused by the schema', 422, { rawBody: '{"thing":{}}' }],
  ])('is used up by an authentic call whose body %s', async (_, status, options) => {
    const nonce = randomUUID();
    expect((await caller.post('/v1/things', undefined, { ...options, nonce })).status).toBe(status);
    await expectRefused(await caller.post('/v1/things', undefined, { ...options, nonce }), USED);
  });

  it('can be used again after a fault that came before anything was stored', async () => {
    const nonce = randomUUID();
    expect((await caller.post('/v1/broken', undefined, { nonce })).status).toBe(500);
    expect((await caller.post('/v1/broken', undefined, { nonce })).status).toBe(500);
    expect((await caller.get('/v1/accounts', { nonce })).status).toBe(200);
  });
});
