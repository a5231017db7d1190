/**
 * What cannot be read on a connection that has been used before: it is answered, and nobody takes it for another
 * answer.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { PROBLEMS } from '../../server/src/http/problem.ts';
import type { Routes } from '../../server/src/http/server.ts';
import { freshDatabase } from '../support/database.ts';
import { startEdge } from './edge.ts';

const { db } = await freshDatabase();
/** Those that wait for the test to let them be answered. */
const held: (() => void)[] = [];
const routes: Routes = (server) => {
  server.post('/v1/wait', { config: { call: 'public' } }, async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return { object: 'done' };
  });
};
const edge = await startEdge({ db, routes: [routes], flags: { httpRequestTimeout: '2s' } });

const open: Socket[] = [];
afterEach(() => {
  for (const answer of held.splice(0)) answer();
  for (const socket of open.splice(0)) socket.destroy();
});

async function opened(): Promise<{ socket: Socket; text: () => string; closed: Promise<unknown> }> {
  const { hostname, port } = new URL(edge.baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  open.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, text: () => text, closed };
}

const GET = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n';
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);

it.each([
  ['headers that are too large', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
  ['what is not HTTP', 'nonsense\r\n\r\n', 'unreadable'],
  ['a body that is no body', 'POST /v1/wait HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'unreadable'],
] as const)('%s behind an answer is answered as on a new connection', async (_, request, problem) => {
  const { socket, text, closed } = await opened();
  socket.write(GET);
  await expect.poll(() => statuses(text())).toEqual(['200']);
  socket.write(request);
  await closed;
  expect(statuses(text())).toEqual(['200', String(PROBLEMS[problem].status)]);
  expect(text()).toContain(PROBLEMS[problem].error);
});

it('nonsense behind a call that is under way is not told as the answer to that call', async () => {
  const { socket, text, closed } = await opened();
  socket.write('POST /v1/wait HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
  await expect.poll(() => held.length).toBe(1);
  socket.write('nonsense\r\n\r\n');
  await closed;
  expect(text()).toBe('');
});

it('the rest of a body that was answered before it came is answered no second time', async () => {
  const { socket, text, closed } = await opened();
  socket.write('POST /v1/nothing HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n');
  await expect.poll(() => statuses(text())).toEqual(['404']);
  await closed;
  expect(statuses(text())).toEqual(['404']);
});
