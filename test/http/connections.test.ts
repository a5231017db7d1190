/**
 * Connections of strangers: there are at most so many. Those that nobody uses: service/slow/idle-connections.test.ts.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { startEdge } from './edge.ts';

const MOST = 5;
const { db } = await freshDatabase();
const edge = await startEdge({ db, flags: { httpMaxConnections: String(MOST) } });

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(edge.baseUrl);
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
    for (let place = 0; place < MOST; place += 1) kept.push(await opened());
    for (const socket of kept) expect(await isAnswered(socket)).toBe(true);
    for (let place = 0; place < 3; place += 1) expect(await isAnswered(await opened())).toBe(false);
    expect(await dropped()).toBe('3');
    const told = edge.logged.filter((line) => line.includes('too many connections'));
    expect(told.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ listener: 'api', most: MOST })]);
    for (const socket of kept) expect(await isAnswered(socket)).toBe(true);
    kept[0]?.destroy();
    await expect.poll(async () => isAnswered(await opened())).toBe(true);
  });
});
