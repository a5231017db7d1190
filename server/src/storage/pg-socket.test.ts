import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { TurnSocket } from './pg-socket.ts';

/** A server that keeps what it is told, and a socket of ours to it. */
async function connected(): Promise<{ socket: TurnSocket; heard: () => string }> {
  let heard = '';
  const server = createServer((other) => other.on('data', (chunk) => (heard += chunk)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a port was expected');
  const socket = new TurnSocket();
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => socket.connect(address.port, '127.0.0.1', resolve));
  return { socket, heard: () => heard };
}

/** As the driver writes a statement. */
function writeCorked(socket: TurnSocket, ...parts: readonly string[]): void {
  socket.cork();
  for (const part of parts) socket.write(part);
  socket.uncork();
}

it('statements of one turn leave together at its end, in their order', async () => {
  const { socket, heard } = await connected();
  writeCorked(socket, 'parse ', 'bind ');
  writeCorked(socket, 'execute ', 'sync ');
  expect(socket.writableLength).toBe('parse bind execute sync '.length);
  await expect.poll(heard).toBe('parse bind execute sync ');
  writeCorked(socket, 'next');
  await expect.poll(heard).toBe('parse bind execute sync next');
});

it('what was written right before the end still leaves', async () => {
  const { socket, heard } = await connected();
  writeCorked(socket, 'last words');
  socket.end();
  await expect.poll(heard).toBe('last words');
});
