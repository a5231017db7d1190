/** Connections that nobody uses: each is closed in its time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Routes } from '../../../server/src/http/server.ts';
import { MAX_UNANSWERED } from '../../../server/src/listeners/turns.ts';
import { makeAccount, startEdge } from '../../http/edge.ts';
import { freshDatabase } from '../../support/database.ts';

/** Not large: what bounds large answers does not see them. */
const SMALL = 'x'.repeat(60 * 1024);

const smallRoutes: Routes = (server) => {
  server.post('/v1/late', { config: { call: 'read' } }, async () => ({}));
  server.get('/small', { config: { call: 'public' } }, async () => ({ object: SMALL }));
};

const { db } = await freshDatabase();
const impatient = await startEdge({ db, flags: { httpRequestTimeout: '1s' }, routes: [smallRoutes] });

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(impatient.baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  return socket;
}

describe('a connection', () => {
  it('whose request does not arrive to its end is told so, and no fault of ours is counted', async () => {
    const { key } = await makeAccount(db);
    const socket = await opened();
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
    const socket = await opened();
    const [chunk] = await once(socket, 'data');
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 408 /);
    await once(socket, 'close');
  }, 15_000);

  it('whose many small answers nobody takes is closed', async () => {
    const socket = await opened();
    socket.pause();
    const connections = () =>
      new Promise<number>((resolve) => impatient.server.server.getConnections((_, count) => resolve(count)));
    socket.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(MAX_UNANSWERED));
    expect(await connections()).toBe(1);
    await expect.poll(connections, { timeout: 15_000 }).toBe(0);
  }, 20_000);
});
