import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { UndiciSender } from './undici-sender.ts';

const PATIENCE_MS = 20_000;
const SHORT_MS = 200;

const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

interface Receiver {
  readonly url: string;
  /** Sockets that are open now, and the most at once. */
  readonly open: () => number;
  readonly most: () => number;
  /** Answers the requests that wait, and all that come. */
  readonly release: () => void;
  /** Answers the one that has waited longest. */
  readonly answerNext: () => void;
  readonly hangUp: () => void;
}

/** Answers at once, or holds every request until it is released. */
async function receiver({ holds = false } = {}): Promise<Receiver> {
  let isHolding = holds;
  const held: (() => void)[] = [];
  let open = 0;
  let most = 0;
  const server: Server = createServer((request, response) => {
    const answer = () => response.end('ok');
    request.resume().on('end', () => (isHolding ? held.push(answer) : answer()));
  });
  server.on('connection', (socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.on('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const release = () => {
    isHolding = false;
    for (const answer of held.splice(0)) answer();
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    open: () => open,
    most: () => most,
    release,
    answerNext: () => held.shift()?.(),
    hangUp: () => server.closeAllConnections(),
  };
}

function httpClient(bounds: { perOrigin: number; total: number; waiting: number }): UndiciSender {
  const made = new UndiciSender({ mode: 'sandbox', bounds });
  closings.push(() => made.close());
  return made;
}

const send = (from: UndiciSender, to: Receiver, timeoutMs = PATIENCE_MS) =>
  from.send({ url: to.url, headers: {}, body: '{}', timeoutMs });

describe('connections', () => {
  it('are used again for the next request to the same receiver', async () => {
    const one = await receiver();
    const from = httpClient({ perOrigin: 4, total: 8, waiting: 100 });
    for (let round = 0; round < 10; round++) expect((await send(from, one)).kind).toBe('answered');
    expect(one.most()).toBe(1);
  });

  it('to one receiver are bounded, and whoever waits gets one in the end', async () => {
    const one = await receiver();
    const from = httpClient({ perOrigin: 3, total: 8, waiting: 100 });
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => send(from, one)));
    expect(outcomes.filter(({ kind }) => kind !== 'answered')).toEqual([]);
    expect(one.most()).toBe(3);
  });

  it('in total are bounded: idle ones make room for another receiver', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => receiver({ holds: true })));
    const from = httpClient({ perOrigin: 2, total: 3, waiting: 100 });
    const sent = all.map((one) => send(from, one));
    const openNow = () => all.reduce((sum, { open }) => sum + open(), 0);
    await until('all are in use', () => openNow() >= 3);
    await sleep(SHORT_MS);
    expect(openNow()).toBe(3);
    for (const one of all) one.release();
    expect((await Promise.all(sent)).filter(({ kind }) => kind !== 'answered')).toEqual([]);
  });

  it('of a receiver that does not answer do not keep another one waiting', async () => {
    const dead = await receiver({ holds: true });
    const other = await receiver();
    const from = httpClient({ perOrigin: 2, total: 4, waiting: 100 });
    const stuck = Array.from({ length: 10 }, () => send(from, dead));
    await until('both are in use', () => dead.open() === 2);
    for (let round = 0; round < 20; round++) expect((await send(from, other)).kind).toBe('answered');
    dead.release();
    expect((await Promise.all(stuck)).filter(({ kind }) => kind !== 'answered')).toEqual([]);
  });

  it('that are scarce go to waiting receivers in turn, so that a busy one does not keep them all', async () => {
    const busy = await receiver({ holds: true });
    const other = await receiver();
    const from = httpClient({ perOrigin: 1, total: 1, waiting: 1_000 });
    const order: string[] = [];
    const many = Array.from({ length: 50 }, () => send(from, busy).then(() => order.push('busy')));
    const one = send(from, other).then(() => order.push('other'));
    await until('it is in use', () => busy.open() === 1);
    busy.release();
    await Promise.all([...many, one]);
    expect(order.indexOf('other')).toBeLessThan(5);
  });

  it('that nobody gives back in time are no time-out of the receiver', async () => {
    const dead = await receiver({ holds: true });
    const from = httpClient({ perOrigin: 1, total: 4, waiting: 100 });
    const first = send(from, dead);
    await until('it is in use', () => dead.open() === 1);
    const why = 'no connection to this host was free in time';
    expect(await send(from, dead, SHORT_MS)).toMatchObject({ kind: 'not_sent', why });
    dead.release();
    expect((await first).kind).toBe('answered');
  });

  it('are waited for in our own time, and the receiver has all of its own behind it', async () => {
    const one = await receiver({ holds: true });
    const from = httpClient({ perOrigin: 1, total: 4, waiting: 100 });
    const limitMs = 2_000;
    const first = send(from, one);
    await until('it is in use', () => one.open() === 1);
    const second = send(from, one, limitMs);
    await sleep(limitMs * 0.3);
    one.answerNext();
    expect((await first).kind).toBe('answered');
    await sleep(limitMs * 0.8);
    one.release();
    const outcome = await second;
    expect(outcome.kind).toBe('answered');
    expect(outcome.tookMs).toBeLessThan(limitMs);
  });

  it('are not waited for by more requests than the bound', async () => {
    const dead = await receiver({ holds: true });
    const from = httpClient({ perOrigin: 1, total: 1, waiting: 1 });
    const taken = [send(from, dead), send(from, dead)];
    const outcome = await send(from, dead);
    expect(outcome.kind).toBe('not_sent');
    expect(outcome.tookMs).toBeLessThan(PATIENCE_MS / 2);
    dead.release();
    await Promise.all(taken);
  });

  it('of a request that ran out of time are closed', async () => {
    const dead = await receiver({ holds: true });
    const from = httpClient({ perOrigin: 2, total: 2, waiting: 10 });
    expect((await send(from, dead, SHORT_MS)).kind).toBe('timed_out');
    await until('it is closed', () => dead.open() === 0);
  });

  it('are all closed with the sender', async () => {
    const one = await receiver();
    const from = httpClient({ perOrigin: 4, total: 8, waiting: 100 });
    await Promise.all(Array.from({ length: 8 }, () => send(from, one)));
    expect(one.open()).toBeGreaterThan(0);
    await from.close();
    await until('it is closed', () => one.open() === 0);
  });

  it('that the receiver closed while they were idle are replaced', async () => {
    const one = await receiver();
    const from = httpClient({ perOrigin: 1, total: 1, waiting: 10 });
    expect((await send(from, one)).kind).toBe('answered');
    one.hangUp();
    await until('it is closed', () => one.open() === 0);
    await sleep(SHORT_MS);
    expect((await send(from, one)).kind).toBe('answered');
  });
});
