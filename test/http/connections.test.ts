/** Connections of strangers: there are at most so many, and nobody keeps one without using it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Routes } from '../../server/src/http/server.ts';
import { MAX_UNANSWERED } from '../../server/src/listeners/turns.ts';
import { freshDatabase } from '../support/database.ts';
import { makeAccount, startEdge } from './edge.ts';

const MOST = 5;
/** Not large: what bounds large answers does not see them. */
const SMALL = 'x'.repeat(60 * 1024);

const smallRoutes: Routes = (server) => {
  server.post('/v1/late', { config: { call: 'read' } }, async () => ({}));
  server.get('/small', { config: { call: 'public' } }, async () => ({ object: SMALL }));
};

const { db } = await freshDatabase();
const edge = await startEdge({ db, flags: { httpMaxConnections: String(MOST) } });
const impatient = await startEdge({ db, flags: { httpRequestTimeout: '1s' }, routes: [smallRoutes] });

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

async function opened(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  return socket;
}

const GET = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n';

async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write(GET);
  const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return String(chunk).startsWith('HTTP/1.1 200');
}

const dropped = async () =>
  /^payferry_dropped_connections_total\{listener="api"\} (\d+)$/m.exec(await edge.metrics.text())?.[1];

describe('connections beyond those that may be open', () => {
  it('are dropped and counted, and told of once; the others go on, and make room when they end', async () => {
    expect(await dropped()).toBe('0');
    const kept: Socket[] = [];
    for (let place = 0; place < MOST; place += 1) kept.push(await opened(edge.baseUrl));
    for (const socket of kept) expect(await isAnswered(socket)).toBe(true);
    for (let place = 0; place < 3; place += 1) expect(await isAnswered(await opened(edge.baseUrl))).toBe(false);
    expect(await dropped()).toBe('3');
    const told = edge.logged.filter((line) => line.includes('too many connections'));
    expect(told.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ listener: 'api', most: MOST })]);
    for (const socket of kept) expect(await isAnswered(socket)).toBe(true);
    kept[0]?.destroy();
    await expect.poll(async () => isAnswered(await opened(edge.baseUrl))).toBe(true);
  });
});

describe('a connection', () => {
  it('whose request does not arrive to its end is told so, and no fault of ours is counted', async () => {
    const { key } = await makeAccount(db);
    const socket = await opened(impatient.baseUrl);
    const headers = [
      `authorization-key: ${key}`,
      'authorization-nonce: 1',
      `authorization-signature: ${'0'.repeat(128)}`,
    ];
    const lines = ['POST /v1/late HTTP/1.1', 'host: x', ...headers, 'content-length: 10', '', '{'];
    socket.write(lines.join('\r\n'));
    const [chunk] = await once(socket, 'data');
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 408 /);
    expect(await impatient.metrics.text()).toContain('payferry_http_faults_total{status="503"} 0');
  }, 15_000);

  it('that sends nothing at all is closed', async () => {
    const socket = await opened(impatient.baseUrl);
    const [chunk] = await once(socket, 'data');
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 408 /);
    await once(socket, 'close');
  }, 15_000);

  it('whose many small answers nobody takes is closed', async () => {
    const socket = await opened(impatient.baseUrl);
    socket.pause();
    const connections = () =>
      new Promise<number>((resolve) => impatient.server.server.getConnections((_, count) => resolve(count)));
    socket.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(MAX_UNANSWERED));
    expect(await connections()).toBe(1);
    await expect.poll(connections, { timeout: 15_000 }).toBe(0);
  }, 20_000);
});
