/** Requests that come over one connection without waiting for answers. */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { MAX_UNANSWERED } from '../../server/src/listeners/turns.ts';
import { freshDatabase } from '../support/database.ts';
import { startEdge } from './edge.ts';

const { db } = await freshDatabase();
const edge = await startEdge({ db });

/** How many were answered until the connection was closed, by the last answer or by the service. */
function answersTo(requests: number): Promise<number> {
  const { hostname, port } = new URL(edge.baseUrl);
  const one = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n';
  return new Promise((resolve) => {
    let text = '';
    const answers = () => text.split('HTTP/1.1 200').length - 1;
    const socket = connect(Number(port), hostname, () => socket.write(one.repeat(requests)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (answers() === requests) socket.destroy();
    });
    socket.on('error', () => undefined).on('close', () => resolve(answers()));
  });
}

it('as many as a client may ask for at once are all answered', async () => {
  expect(await answersTo(MAX_UNANSWERED)).toBe(MAX_UNANSWERED);
});

it('more end the connection, and nobody waits behind them', async () => {
  expect(await answersTo(20 * MAX_UNANSWERED)).toBeLessThanOrEqual(MAX_UNANSWERED);
  expect((await fetch(`${edge.baseUrl}/health/live`)).status).toBe(200);
});
