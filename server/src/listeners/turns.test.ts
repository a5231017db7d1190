import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { serverInTurns, Turns } from './turns.ts';

describe('requests in turns', () => {
  test('begin in the order in which they came, and others are heard between two groups', async () => {
    const turns = new Turns();
    const seen: (number | 'another')[] = [];
    for (let place = 0; place < 40; place += 1) turns.take(() => seen.push(place));
    expect(seen).toEqual([]);
    setImmediate(() => seen.push('another'));
    await nextTurn();
    await nextTurn();
    const another = seen.indexOf('another');
    expect(another).toBeGreaterThan(0);
    expect(another).toBeLessThan(40);
    expect(seen.toSpliced(another, 1)).toEqual(Array.from({ length: 40 }, (_, place) => place));
  });

  test('that come while a group begins are in a later one', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    turns.take(() => {
      turns.take(() => seen.push('later'));
      seen.push('first');
    });
    await nextTurn();
    expect(seen).toEqual(['first']);
    await nextTurn();
    expect(seen).toEqual(['first', 'later']);
  });
});

describe('a server in turns', () => {
  const ends: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function listen(handle: RequestListener): Promise<{ server: Server; port: number }> {
    const server = serverInTurns({}, handle);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return { server, port: (server.address() as AddressInfo).port };
  }

  test('says when a request arrived', async () => {
    const before = performance.now();
    let arrivedAtMs: number | undefined;
    const { port } = await listen((request, response) => {
      arrivedAtMs = request.arrivedAtMs;
      response.end('here');
    });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(await answer.text()).toBe('here');
    expect(arrivedAtMs).toBeGreaterThanOrEqual(before);
    expect(arrivedAtMs).toBeLessThanOrEqual(performance.now());
  });

  test('begins nothing for a caller who left before the turn', async () => {
    const begun: string[] = [];
    const { server, port } = await listen((request) => begun.push(request.url ?? ''));
    // Leaves within the turn in which the request arrives.
    server.on('request', (request) => request.socket.destroy());
    const caller = connect(port, '127.0.0.1');
    caller.write('GET /gone HTTP/1.1\r\nhost: here\r\n\r\n');
    await once(caller, 'close');
    await nextTurn();
    await nextTurn();
    expect(begun).toEqual([]);
  });
});
