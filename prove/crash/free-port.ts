/**
 * A port that nobody has, below those that the system gives to outgoing connections: a process that was killed finds it
 * free again when it is started on it.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const HIGHEST = 30_000;
const TRIES = 50;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
