/**
 * A GET may come with a body: its bytes are signed as those of any other, and nobody reads them. Spec: Authentication.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../server/src/http/problem.ts';
import { freshDatabase } from '../support/database.ts';
import { signByFormula } from '../support/signed-caller.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const LIMIT = 2_048;
const edge = await startEdge({ db, routes: [echoRoutes(db)], flags: { httpBodyLimitBytes: String(LIMIT) } });
const account = await makeAccount(db);
const caller = callerOf(edge, account);
const CHUNKED = { 'content-length': null, 'transfer-encoding': 'chunked' };

const get = (rawBody: string | Uint8Array, headers: Record<string, string | null> = {}) =>
  caller.get('/v1/accounts', { rawBody, headers });

describe('a body that comes with a GET', () => {
  it.each([
    ['an empty object', '{}', {}],
    ['an empty object of no told length', '{}', CHUNKED],
    ['an object with what other calls send', '{"transaction":{"id":1}}', {}],
    ['cut off', '{"a":', {}],
    ['of another content type', 'a=1', { 'content-type': 'text/plain' }],
    ['of no content type', 'a=1', { 'content-type': null }],
    ['with a NUL character', '{"a":"\\u0000"}', {}],
    ['that is no text', Buffer.from([0xff, 0x00, 0xfe]), {}],
    ['empty, of no told length', '', CHUNKED],
    ['as large as one may be', 'x'.repeat(LIMIT), {}],
  ])('%s, is signed and not read', async (_, rawBody, headers) => {
    expect(await get(rawBody, headers)).toMatchObject({ status: 200, body: { object: [] } });
  });

  it('leaves the query as it is, and the next call over its connection', async () => {
    for (const page of [1, 2, 3]) {
      const answer = await caller.get(`/v1/things?page=${page}`, { rawBody: '{"page":9}' });
      expect(answer).toMatchObject({ status: 200, body: { object: { page } } });
    }
  });

  it('is refused where the signature covers another one, or none', async () => {
    const nonce = randomUUID();
    const call = { nonce, method: 'GET', url: `${edge.baseUrl}/v1/accounts`, secret: account.secret };
    const ofNone = signByFormula({ ...call, bytes: Buffer.alloc(0) });
    for (const rawBody of ['{}', '[]']) {
      const answer = await caller.get('/v1/accounts', { nonce, signature: ofNone, rawBody });
      expect(answer).toMatchObject({ status: 401, body: PROBLEMS.credentials_wrong });
    }
    expect((await caller.get('/v1/accounts', { nonce, signature: ofNone })).status).toBe(200);
  });

  it.each([
    ['whose length is told', {}],
    ['whose length nobody tells', CHUNKED],
  ])('is answered with 413 when it is too large, %s', async (_, headers) => {
    expect(await get('x'.repeat(LIMIT + 1), headers)).toMatchObject({ status: 413, body: PROBLEMS.body_too_large });
    expect((await get('x'.repeat(LIMIT), headers)).status).toBe(200);
  });

  it('is let be where nobody has to sign', async () => {
    const rawBody = 'x'.repeat(LIMIT + 1);
    expect((await caller.get('/health/live', { rawBody })).status).toBe(200);
    expect((await caller.get('/health/live')).status).toBe(200);
  });
});
