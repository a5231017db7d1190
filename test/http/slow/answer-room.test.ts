/** Whoever asks for large answers and does not read them cannot fill the memory. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../server/src/http/problem.ts';
import type { Routes } from '../../../server/src/http/server.ts';
import { AnswerRoom } from '../../../server/src/listeners/answer-room.ts';
import { freshDatabase } from '../../support/database.ts';
import { signByFormula } from '../../support/signed-caller.ts';
import { type CallerAccount, callerOf, makeAccount, startEdge } from '../edge.ts';

const { db } = await freshDatabase();
/** More than the buffers of the system take. */
const LARGE_BYTES = 24 * 1024 * 1024;
const LARGE = 'x'.repeat(LARGE_BYTES);
let made = 0;

const largeRoutes: Routes = (server) => {
  server.get('/v1/large', { config: { call: 'read' } }, async () => {
    made += 1;
    return { object: LARGE };
  });
  server.post('/v1/large', { config: { call: 'read' } }, async () => ({ object: LARGE }));
  server.get('/v1/small', { config: { call: 'read' } }, async () => ({ object: 'x' }));
};

/** One answer is the half of an account, two are all. */
const flags = { httpUntakenAnswersBytes: String(2 * LARGE_BYTES), httpRequestTimeout: '3s' };
const edge = await startEdge({ db, flags, routes: [largeRoutes] });
const [greedy, other, third] = await Promise.all([makeAccount(db), makeAccount(db), makeAccount(db)]);

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Asks for the large answer and reads nothing of it. */
function askAndNotRead({ key, secret }: CallerAccount): Promise<Socket> {
  const { hostname, port, host } = new URL(edge.baseUrl);
  const nonce = randomUUID();
  const url = `${edge.baseUrl}/v1/large`;
  const signature = signByFormula({ nonce, method: 'GET', url, bytes: Buffer.alloc(0), secret });
  const headers = [`host: ${host}`, `authorization-key: ${key}`, `authorization-nonce: ${nonce}`];
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        ['GET /v1/large HTTP/1.1', ...headers, `authorization-signature: ${signature}`, '', ''].join('\r\n'),
      );
      resolve(socket);
    });
    socket.pause().on('error', () => undefined);
    open.push(socket);
  });
}

const statusOf = async (account: CallerAccount, path: string) => (await callerOf(edge, account).get(path)).status;

describe('large answers that nobody takes', () => {
  it('end the service for their account before anything is read for it, and others go on', async () => {
    await askAndNotRead(greedy);
    await expect.poll(() => statusOf(greedy, '/v1/small')).toBe(503);
    const before = made;
    expect((await callerOf(edge, greedy).get('/v1/large')).body).toEqual(PROBLEMS.answers_untaken);
    expect(made).toBe(before);
    expect([await statusOf(other, '/v1/large'), await statusOf(other, '/v1/small')]).toEqual([200, 200]);
    for (const socket of open.splice(0)) socket.destroy();
    await expect.poll(() => statusOf(greedy, '/v1/large')).toBe(200);
  });

  it('leave no room for more of them when several accounts do it, but for small answers', async () => {
    await Promise.all([askAndNotRead(greedy), askAndNotRead(other)]);
    await expect.poll(() => statusOf(other, '/v1/small')).toBe(503);
    await expect.poll(() => statusOf(greedy, '/v1/small')).toBe(503);
    const caller = callerOf(edge, third);
    const [refused, done] = await Promise.all([caller.get('/v1/large'), caller.post('/v1/large')]);
    expect(refused).toMatchObject({ status: 503, body: PROBLEMS.answers_untaken, headers: { 'retry-after': '1' } });
    // Nobody is told that nothing was done, where something was, because others take up the room.
    expect(done.status).toBe(200);
    expect(await statusOf(third, '/v1/small')).toBe(200);
  });

  it('are given up with their connections in time', async () => {
    const socket = await askAndNotRead(greedy);
    await expect.poll(() => statusOf(greedy, '/v1/small')).toBe(503);
    await expect.poll(() => statusOf(greedy, '/v1/small'), { timeout: 15_000 }).toBe(200);
    expect(socket.destroyed).toBe(false);
  }, 20_000);

  it('leave nothing behind once they are taken', async () => {
    for (let call = 0; call < 5; call += 1) expect(await statusOf(greedy, '/v1/large')).toBe(200);
  });
});

it('one answer may be larger than all the room', () => {
  const room = new AnswerRoom(10);
  expect([room.isFullFor('a'), room.isFull()]).toEqual([false, false]);
  const giveBack = room.hold('a', 25);
  expect([room.isFullFor('a'), room.isFullFor('b'), room.isFull()]).toEqual([true, false, true]);
  giveBack();
  expect([room.isFullFor('a'), room.isFull()]).toEqual([false, false]);
});
