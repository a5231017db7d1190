/** What somebody who reaches the operator listener can take of it: as little as at the listener of callers. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_UNANSWERED } from '../../../server/src/listeners/turns.ts';
import { freshDatabase } from '../../support/database.ts';
import { addOperator, contextOn, openListener } from '../support.ts';

/** More than the buffers of the system take. */
const LARGE_BYTES = 24 * 1024 * 1024;
/** Beyond every time in which a caller has to do something. */
const LONG_MS = 4_000;
const LARGE = 'x'.repeat(LARGE_BYTES);

const { db } = await freshDatabase();
const flags = { httpUntakenAnswersBytes: String(2 * LARGE_BYTES), httpRequestTimeout: '1s' };
const { ctx } = contextOn(db, { flags });
const ada = await openListener(ctx, {
  addHealth: (app) => {
    app.get('/health/live', { config: { call: 'public' } }, async () => ({ status: 'live' }));
    app.get('/operator/large', async () => ({ object: LARGE }));
    app.get('/operator/long', async () => {
      await sleep(LONG_MS);
      return { object: 'done' };
    });
    app.get('/operator/small', async () => ({ object: 'x' }));
  },
});
const graceToken = await addOperator(ctx, 'grace');

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

function ask(path: string, times = 1): Socket {
  const { hostname, port } = new URL(ada.url);
  const one = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ada.token}\r\n\r\n`;
  const socket = connect(Number(port), hostname, () => socket.write(one.repeat(times)));
  open.push(socket.on('error', () => undefined));
  return socket;
}

it.each([
  ['is not HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400', 'the request cannot be read'],
  [
    'has endless headers',
    `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    'HTTP/1.1 431',
    'the headers are too large',
  ],
  ['has an address that cannot be read', 'GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n', 'HTTP/1.1 400', '/%zz'],
])('a request to the operator listener that %s is refused as all others are', async (_, request, status, why) => {
  const { hostname, port } = new URL(ada.url);
  const socket = connect(Number(port), hostname, () => socket.write(request)).on('error', () => undefined);
  open.push(socket);
  const [chunk] = await once(socket, 'data');
  const [head, body] = String(chunk).split('\r\n\r\n');
  expect(head?.startsWith(status)).toBe(true);
  expect(JSON.parse(body ?? '')).toEqual({ error: 'bad_request', details: [expect.stringContaining(why)] });
});

describe('requests over one connection to the operator listener', () => {
  /** How many were answered until the connection was closed, by the last answer or by the service. */
  const answersTo = (requests: number) =>
    new Promise<number>((resolve) => {
      let text = '';
      const answers = () => text.split('HTTP/1.1 200').length - 1;
      const socket = ask('/health/live', requests);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (answers() === requests) socket.destroy();
      });
      socket.on('close', () => resolve(answers()));
    });

  it('are all answered while they are as many as a client may ask for at once', async () => {
    expect(await answersTo(MAX_UNANSWERED)).toBe(MAX_UNANSWERED);
  });

  it('end it when they are more, and nobody waits behind them', async () => {
    expect(await answersTo(20 * MAX_UNANSWERED)).toBeLessThanOrEqual(MAX_UNANSWERED);
    expect((await ada.call('GET', '/operator/small')).status).toBe(200);
  });
});

describe('large answers of the operator listener that nobody takes', () => {
  const statusOf = async (path: string, token = ada.token) =>
    (await ada.call('GET', path, undefined, { token })).status;

  it('end the service for their operator, and others go on', async () => {
    ask('/operator/large').pause();
    await expect.poll(() => statusOf('/operator/small')).toBe(503);
    const { body, headers } = await ada.call('GET', '/operator/small');
    expect(body).toMatchObject({ error: 'unavailable', details: [expect.stringContaining('nothing was done')] });
    expect(headers.get('retry-after')).toBe('1');
    expect([await statusOf('/operator/large', graceToken), await statusOf('/operator/small', graceToken)]).toEqual([
      200, 200,
    ]);
    for (const socket of open.splice(0)) socket.destroy();
    await expect.poll(() => statusOf('/operator/large')).toBe(200);
  });

  it('are given up with their connections in time', async () => {
    ask('/operator/large').pause();
    await expect.poll(() => statusOf('/operator/small')).toBe(503);
    await expect.poll(() => statusOf('/operator/small'), { timeout: 15_000 }).toBe(200);
  }, 20_000);
});

it('an answer of the operator listener that takes long to make is waited for', async () => {
  expect((await ada.call('GET', '/operator/long')).body).toEqual({ object: 'done' });
}, 10_000);
