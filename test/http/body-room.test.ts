/** Whoever knows a key cannot fill the memory with bodies whose signatures nobody has checked yet. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BodyRoom, LARGE_BODY_BYTES } from '../../server/src/http/body-room.ts';
import { PROBLEMS } from '../../server/src/http/problem.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/until.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, makeKey, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const BODY_LIMIT = 4 * LARGE_BODY_BYTES;
/** One key may hold half of it, which is one body; two keys all of it. */
const flags = { httpBodyLimitBytes: String(BODY_LIMIT), httpUnprovedBodiesBytes: String(2 * BODY_LIMIT) };
const edge = await startEdge({ db, flags, routes: [echoRoutes(db)] });
const account = await makeAccount(db);
const other = await makeKey(db, account.accountId);
const third = await makeKey(db, account.accountId);
const LARGE = { a: 'x'.repeat(2 * LARGE_BODY_BYTES) };

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Begins a large call with a wrong signature and leaves it unfinished; the answer, should there be one. */
function begin(key: string, bytes: number, call = 'POST /v1/bare', isChunked = false): Promise<string> {
  const { hostname, port } = new URL(edge.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const credentials = [`authorization-key: ${key}`, `authorization-signature: ${'ab'.repeat(64)}`];
      const others = ['host: x', 'content-type: application/json', `authorization-nonce: ${randomUUID()}`];
      const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${BODY_LIMIT}`;
      const head = [`${call} HTTP/1.1`, ...others, ...credentials, length, '', ''];
      socket.write(head.join('\r\n'));
      if (isChunked) socket.write(`${bytes.toString(16)}\r\n`);
      socket.write(Buffer.alloc(bytes, 'x'));
    });
    open.push(socket);
    socket.once('data', (answer) => resolve(answer.toString('utf8')));
    socket.on('error', () => resolve(''));
  });
}

/** Until it is so: what was sent has arrived, or what was closed is known to be. */
function untilStatus(key: { key: string; secret: string }, status: number): Promise<unknown> {
  return eventually(`somebody is answered with ${status}`, async () => {
    const answer = await callerOf(edge, key).post('/v1/bare', LARGE);
    return answer.status === status ? answer.body : undefined;
  });
}

describe('large bodies that come at once', () => {
  it.each([
    ['whose length is announced', false],
    ['whose length nobody says', true],
  ])('are answered with 503 beyond the room of their key, and others go on: behind one %s', async (_, isChunked) => {
    void begin(account.key, 3 * LARGE_BODY_BYTES, 'POST /v1/bare', isChunked);
    expect(await untilStatus(account, 503)).toEqual(PROBLEMS.no_room);
    expect((await callerOf(edge, account).post('/v1/bare', { a: 'small' })).status).toBe(200);
    expect((await callerOf(edge, other).post('/v1/bare', LARGE)).status).toBe(200);
  });

  it('are answered with 503 beyond the room of all, and have it again when those before them are gone', async () => {
    void begin(account.key, 3 * LARGE_BODY_BYTES + 1_000);
    void begin(other.key, 3 * LARGE_BODY_BYTES + 1_000);
    expect(await untilStatus(third, 503)).toEqual(PROBLEMS.no_room);
    for (const socket of open.splice(0)) socket.destroy();
    await untilStatus(third, 200);
    await untilStatus(account, 200);
  });

  it('take no room for what they only announce', async () => {
    for (let one = 0; one < 20; one += 1) void begin(account.key, 1);
    for (let call = 0; call < 5; call += 1) {
      expect((await callerOf(edge, account).post('/v1/bare', LARGE)).status).toBe(200);
    }
  });

  it('leave nothing behind, whether they are right or wrong', async () => {
    const wrong = callerOf(edge, { key: account.key, secret: 'wrong' });
    for (let call = 0; call < 10; call += 1) {
      expect((await wrong.post('/v1/bare', LARGE)).status).toBe(401);
      expect((await callerOf(edge, account).post('/v1/bare', LARGE)).status).toBe(200);
    }
  });

  it('are bounded with a GET too, and give their room back', async () => {
    const rawBody = Buffer.alloc(3 * LARGE_BODY_BYTES, 'x');
    for (let call = 0; call < 10; call += 1) {
      expect((await callerOf(edge, account).get('/v1/accounts', { rawBody })).status).toBe(200);
    }
    void begin(account.key, 3 * LARGE_BODY_BYTES, 'GET /v1/accounts');
    expect(await untilStatus(account, 503)).toEqual(PROBLEMS.no_room);
    for (const socket of open.splice(0)) socket.destroy();
    await untilStatus(account, 200);
  });

  it('are let be with a GET that nobody has to sign', async () => {
    const rawBody = Buffer.alloc(3 * LARGE_BODY_BYTES, 'x');
    for (let call = 0; call < 10; call += 1) {
      expect((await callerOf(edge, account).get('/health/live', { rawBody })).status).toBe(200);
    }
  });

  it('are not read where there is nothing at the address', async () => {
    expect(await begin('anybody', 0, 'POST /v1/nothing')).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe('the room', () => {
  it('is bounded for each and for all, and what was refused takes none of it', () => {
    const room = new BodyRoom({ totalBytes: 10, callerBytes: 6 });
    expect([room.take('a', 6), room.take('a', 1), room.take('b', 5), room.take('b', 4)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    room.giveBack('a', 6);
    expect([room.take('c', 6), room.take('c', 1)]).toEqual([true, false]);
  });
});
