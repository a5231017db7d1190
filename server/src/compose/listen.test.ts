import { createServer } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { ListenFault, listen } from './listen.ts';

const servers: FastifyInstance[] = [];

function server(): FastifyInstance {
  const made = fastify();
  made.get('/', async () => 'here');
  servers.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => each.close()));
});

describe('listen', () => {
  it.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ])('on %s with port 0 takes a free port and gives an address that works', async (host, form) => {
    const url = await listen(server(), { host, port: 0 }, '--port');
    expect(url).toMatch(form);
    expect(await (await fetch(url)).text()).toBe('here');
  });

  it.each(['::1', '::'])('on %s gives an address with brackets that works, where the machine has it', async (host) => {
    const probe = createServer();
    const hasIt = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(0, host, () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (!hasIt) return void process.stdout.write(`no address ${host} on this machine: not tried\n`);
    const url = await listen(server(), { host, port: 0 }, '--port');
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await (await fetch(url)).text()).toBe('here');
  });

  it('takes the port that it is told', async () => {
    const first = server();
    const url = await listen(first, { host: '127.0.0.1', port: 0 }, '--port');
    await first.close();
    const port = Number(new URL(url).port);
    expect(await listen(server(), { host: '127.0.0.1', port }, '--port')).toBe(url);
  });

  it.each(['--port', '--operator-port'] as const)('says which port is taken, and that %s mends it', async (flag) => {
    const port = Number(new URL(await listen(server(), { host: '127.0.0.1', port: 0 }, flag)).port);
    const second = listen(server(), { host: '127.0.0.1', port }, flag);
    await expect(second).rejects.toThrow(ListenFault);
    await expect(second).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is taken. Choose another with ${flag}, or ${flag} 0 for a free one.`,
    );
  });

  it('says why for any other reason', async () => {
    // Addresses of this range are kept for documents; no machine has them.
    const elsewhere = listen(server(), { host: '192.0.2.1', port: 0 }, '--port');
    await expect(elsewhere).rejects.toThrow(/^Cannot listen on 192\.0\.2\.1:0: .*EADDRNOTAVAIL/);
  });
});
