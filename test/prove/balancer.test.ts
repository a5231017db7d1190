import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Balancer, LOOPBACK, openBalancer } from '../../prove/crash/balancer.ts';
import { freePort } from '../../prove/crash/free-port.ts';

/** Says its name to whoever sends something, and keeps what came. */
class Named {
  readonly received: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        this.received.push(String(chunk));
        // `die` is what a killed process does: it has taken the bytes, and breaks off.
        if (String(chunk) === 'die') socket.resetAndDestroy();
        else socket.write(this.#name);
      });
    });
  }

  open(port: number): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(port, LOOPBACK, resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }
}

const [one, two] = [new Named('one'), new Named('two')];
let balancer: Balancer;
let [portOfOne, portOfTwo] = [0, 0];

beforeAll(async () => {
  [portOfOne, portOfTwo] = [await freePort(), await freePort()];
  await Promise.all([one.open(portOfOne), two.open(portOfTwo)]);
  balancer = await openBalancer();
});
afterAll(async () => {
  await balancer.close();
  await Promise.all([one.close(), two.close()]);
});

/** What comes back on a connection of its own; undefined when it was broken off. */
function say(words: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(balancer.port, LOOPBACK, () => socket.write(words));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(undefined));
    socket.on('data', (chunk) => {
      resolve(String(chunk));
      socket.destroy();
    });
  });
}

describe('the balancer of the proofs', () => {
  it('gives connections to the living by turns', async () => {
    balancer.sendTo([
      { host: LOOPBACK, port: portOfOne },
      { host: LOOPBACK, port: portOfTwo },
    ]);
    const answers = [await say('a'), await say('b'), await say('c'), await say('d')];
    expect(answers.toSorted()).toEqual(['one', 'one', 'two', 'two']);
  });

  it('goes on to the next when one cannot be reached, because nothing was sent', async () => {
    const dead = { host: LOOPBACK, port: await freePort() };
    balancer.sendTo([dead, { host: LOOPBACK, port: portOfTwo }]);
    expect([await say('a'), await say('b')]).toEqual(['two', 'two']);
  });

  it('breaks off, and tries nowhere else, when one dies that was sent something', async () => {
    balancer.sendTo([
      { host: LOOPBACK, port: portOfOne },
      { host: LOOPBACK, port: portOfTwo },
    ]);
    const before = one.received.length + two.received.length;
    expect(await say('die')).toBeUndefined();
    expect(one.received.length + two.received.length).toBe(before + 1);
  });

  it('breaks off when nobody lives', async () => {
    balancer.sendTo([]);
    expect(await say('a')).toBeUndefined();
  });

  it('cuts the connections to one that is not to be used any more', async () => {
    const old = { host: LOOPBACK, port: portOfOne };
    balancer.sendTo([old]);
    const socket = connect(balancer.port, LOOPBACK, () => socket.write('a'));
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    balancer.sendTo([{ host: LOOPBACK, port: portOfTwo }]);
    await closed;
    expect(await say('b')).toBe('two');
  });
});
