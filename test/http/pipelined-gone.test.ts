/** Who asks several times over one connection and leaves before the first answer leaves nothing behind. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiLog } from '../../server/src/api-logs/api-log.ts';
import { LARGE_BODY_BYTES } from '../../server/src/http/body-room.ts';
import { recordCalls } from '../../server/src/http/record-calls.ts';
import type { Routes } from '../../server/src/http/server.ts';
import { freshDatabase } from '../support/database.ts';
import { signByFormula } from '../support/signed-caller.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, settingsFor, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const BODY_LIMIT = 4 * LARGE_BODY_BYTES;
const LARGE_BYTES = 4 * 1024 * 1024;
const LARGE = 'x'.repeat(LARGE_BYTES);

/** Those that wait for the test to let them be answered. */
let held: (() => void)[] = [];
let made = 0;
const kept: ApiLog[] = [];

const routes: Routes = (server) => {
  server.get('/v1/wait', { config: { call: 'public' } }, async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return { object: 'x' };
  });
  server.get('/v1/large', { config: { call: 'read' } }, async () => {
    made += 1;
    return { object: LARGE };
  });
  server.get('/v1/large-later', { config: { call: 'read' } }, async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return { object: LARGE };
  });
};

const flags = {
  httpBodyLimitBytes: String(BODY_LIMIT),
  httpUnprovedBodiesBytes: String(BODY_LIMIT),
  httpUntakenAnswersBytes: String(2 * LARGE_BYTES),
};
const logs = recordCalls({ settings: settingsFor(flags) }, { add: (log) => kept.push(log) });
const edge = await startEdge({ db, flags, routes: [logs, routes, echoRoutes(db)] });
const account = await makeAccount(db);
const caller = callerOf(edge, account);

beforeEach(() => {
  held = [];
  made = 0;
  kept.length = 0;
  edge.logged.length = 0;
});

function signed(method: string, path: string, more: readonly string[] = []): string {
  const nonce = randomUUID();
  const { key, secret } = account;
  const signature = signByFormula({
    nonce,
    method,
    url: `${edge.baseUrl}${path}`,
    bytes: Buffer.alloc(0),
    secret,
  });
  const headers = [
    `authorization-key: ${key}`,
    `authorization-nonce: ${nonce}`,
    `authorization-signature: ${signature}`,
  ];
  return [`${method} ${path} HTTP/1.1`, `host: ${new URL(edge.baseUrl).host}`, ...headers, ...more, '', ''].join(
    '\r\n',
  );
}

/** Sends them behind one that waits, and leaves as soon as it is so. */
async function sendAndLeave(requests: string, isSoFar: () => boolean): Promise<void> {
  const { hostname, port } = new URL(edge.baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET /v1/wait HTTP/1.1\r\nhost: x\r\n\r\n${requests}`);
  await expect.poll(isSoFar).toBe(true);
  socket.destroy();
  await expect.poll(requestsTold).toContain('/v1/wait 499');
}

const requestsTold = () =>
  edge.logged
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'request')
    .map(({ route, status }) => `${route} ${status}`);

describe('behind a request that waits for its answer, and gone before it', () => {
  it('each of them is told as one whose caller went away', async () => {
    await sendAndLeave('GET /v1/wait HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3), () => held.length === 4);
    await expect.poll(requestsTold).toEqual(Array(4).fill('/v1/wait 499'));
    for (const answer of held) answer();
  });

  it('large answers give their room back, made before or after that', async () => {
    await sendAndLeave(
      signed('GET', '/v1/large').concat(signed('GET', '/v1/large-later')),
      () => made + held.length === 3,
    );
    for (const answer of held) answer();
    await expect.poll(async () => (await caller.get('/v1/large')).status).toBe(200);
    for (let call = 0; call < 3; call += 1) expect((await caller.get('/v1/large')).status).toBe(200);
  });

  it('large bodies that did not arrive give their room back', async () => {
    const body = 'x'.repeat(BODY_LIMIT - 1);
    const head = signed('POST', '/v1/bare', ['content-type: application/json', `content-length: ${BODY_LIMIT}`]);
    const { hostname, port } = new URL(edge.baseUrl);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET /v1/wait HTTP/1.1\r\nhost: x\r\n\r\n${head}${body}`);
    const statusOfLarge = async () => (await caller.post('/v1/bare', { a: 'x'.repeat(2 * LARGE_BODY_BYTES) })).status;
    await expect.poll(statusOfLarge).toBe(503);
    socket.destroy();
    await expect.poll(statusOfLarge).toBe(200);
    for (const answer of held) answer();
  });

  it('calls of an account are in its log, answered before or after that', async () => {
    await sendAndLeave(
      signed('GET', '/v1/large').concat(signed('GET', '/v1/large-later')),
      () => made + held.length === 3,
    );
    for (const answer of held) answer();
    await expect
      .poll(() => kept.map(({ requestUrl }) => new URL(requestUrl).pathname).toSorted())
      .toEqual(['/v1/large', '/v1/large-later']);
  });
});
