import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  openRawReceiver,
  plainAnswer,
  type RawReceiver,
  type RawReceiverOptions,
} from '../../../test/support/raw-receiver.ts';
import { MAX_ANSWER_BODY_BYTES, MAX_ANSWER_HEADER_BYTES } from './answer.ts';
import type { SendOutcome } from './http-sender.ts';
import { type SenderOptions, UndiciSender } from './undici-sender.ts';

const PATIENCE_MS = 20_000;
/** Long enough for a loopback receiver to have said what it wants to say. */
const SHORT_MS = 300;

const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function receiver(answer: RawReceiverOptions['answer']): Promise<RawReceiver> {
  const opened = await openRawReceiver({ answer });
  closings.push(opened.close);
  return opened;
}

function httpClient(options: Partial<SenderOptions> = {}): UndiciSender {
  const made = new UndiciSender({ mode: 'sandbox', ...options });
  closings.push(() => made.close());
  return made;
}

async function sendTo(answer: RawReceiverOptions['answer'], timeoutMs = PATIENCE_MS): Promise<SendOutcome> {
  const { port } = await receiver(answer);
  return httpClient().send({ url: `http://127.0.0.1:${port}/hook`, headers: {}, body: '{}', timeoutMs });
}

const say = (text: string) => (socket: Socket) => socket.write(text);
const sayAndEnd = (text: string) => (socket: Socket) => socket.end(text);

describe('a request', () => {
  it('is a POST with the path, the query, the headers and the body that were given', async () => {
    const seen = await receiver(say(plainAnswer('201 Created', '{"ok":true}', 'X-Seen: yes\r\n')));
    const outcome = await httpClient().send({
      url: `http://127.0.0.1:${seen.port}/hook/a?x=1&y=%20`,
      headers: { 'Content-Type': 'application/json', 'Authorization-Key': 'key' },
      body: '{"a":"é"}',
      timeoutMs: PATIENCE_MS,
    });
    expect(outcome).toMatchObject({ kind: 'answered', status: 201, body: '{"ok":true}', headers: { 'x-seen': 'yes' } });
    expect(outcome.tookMs).toBeGreaterThanOrEqual(0);
    const received = seen.received();
    expect(received).toMatch(/^POST \/hook\/a\?x=1&y=%20 HTTP\/1\.1\r\n/);
    expect(received).toContain('Content-Type: application/json\r\n');
    expect(received).toContain('Authorization-Key: key\r\n');
    expect(received).toContain('content-length: 10\r\n');
    expect(Buffer.from(received, 'latin1').toString('utf8').endsWith('\r\n\r\n{"a":"é"}')).toBe(true);
  });

  it.each([
    ['an empty query', '/hook?', '/hook?'],
    ['a quote in the query', "/hook?a='b'", "/hook?a='b'"],
    ['steps back', '/a/../hook/%2e%2e/b', '/a/../hook/%2e%2e/b'],
    ['no path', '', '/'],
    ['a query without a path', '?x=1', '/?x=1'],
  ])('asks for what was written, because that is what was signed: %s', async (_, written, asked) => {
    const seen = await receiver(say(plainAnswer('200 OK', '')));
    const url = `http://127.0.0.1:${seen.port}${written}`;
    await httpClient().send({ url, headers: {}, body: '{}', timeoutMs: PATIENCE_MS });
    expect(seen.received().split('\r\n')[0]).toBe(`POST ${asked} HTTP/1.1`);
  });

  it.each([
    ['a line break in a value', { 'X-A': 'b\r\nX-Evil: 1' }],
    ['a bare line feed', { 'X-A': 'b\nX-Evil: 1' }],
    ['a NUL', { 'X-A': 'b\u0000' }],
    ['a line break in a name', { 'X-A: b\r\nX-Evil': '1' }],
    ['an empty value', { 'X-A': '' }],
    ['a letter that is not ASCII', { 'X-A': 'é' }],
    ['a host of its own', { Host: '127.0.0.1' }],
    ['a length of its own', { 'Content-Length': '0' }],
    ['an encoding of its own', { 'Transfer-Encoding': 'chunked' }],
  ])('with %s among its headers is not sent', async (_, headers) => {
    const seen = await receiver(say(plainAnswer('200 OK')));
    const url = `http://127.0.0.1:${seen.port}/`;
    const outcome = await httpClient().send({ url, headers, body: '', timeoutMs: PATIENCE_MS });
    expect(outcome).toMatchObject({ kind: 'failed', why: 'a header cannot be sent' });
    expect(seen.connections()).toBe(0);
  });
});

describe('an answer', () => {
  it.each(['200 OK', '204 No Content', '301 Moved', '400 Bad', '404 Not', '410 Gone', '429 Slow', '500 Oops', '599 X'])(
    'of status %s is told as it is',
    async (status) => {
      const outcome = await sendTo(say(status.startsWith('204') ? 'HTTP/1.1 204 No\r\n\r\n' : plainAnswer(status)));
      expect(outcome).toMatchObject({ kind: 'answered', status: Number(status.slice(0, 3)) });
    },
  );

  it('after a 100 and a 103 is the one that counts', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    expect(await sendTo(say(early + plainAnswer('202 Accepted', 'x')))).toMatchObject({ status: 202, body: 'x' });
  });

  it.each(['301 Moved Permanently', '302 Found', '303 See Other', '307 Temporary Redirect', '308 Permanent Redirect'])(
    'that redirects to an inner address (%s) is not followed',
    async (status) => {
      const inner = await receiver(say(plainAnswer('200 OK')));
      const location = `Location: http://127.0.0.1:${inner.port}/secret\r\n`;
      const outcome = await sendTo(say(plainAnswer(status, '', location)));
      expect(outcome).toMatchObject({ kind: 'answered', status: Number(status.slice(0, 3)) });
      expect(inner.connections()).toBe(0);
    },
  );

  it('is whole when the connection ends it', async () => {
    expect(await sendTo(sayAndEnd('HTTP/1.1 200 OK\r\n\r\nall of it'))).toMatchObject({ body: 'all of it' });
  });

  it('has names of headers that would upset an object, and repeated ones', async () => {
    const headers = '__proto__: a\r\nconstructor: b\r\nset-cookie: c\r\nset-cookie: d\r\n';
    const outcome = await sendTo(say(plainAnswer('200 OK', '', headers)));
    const told = outcome.kind === 'answered' ? Object.entries(outcome.headers) : [];
    expect(told).toEqual([
      ['content-length', '0'],
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['set-cookie', 'c, d'],
    ]);
  });

  it('that is not UTF-8, or holds a NUL, becomes text that can be stored', async () => {
    const body = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n');
      socket.write(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x1b, 0x62]));
    };
    expect(await sendTo(body)).toMatchObject({ kind: 'answered', body: 'a\ufffd\ufffd\ufffd\ufffdb' });
  });

  it('is read up to a bound, and a character is not cut in two there', async () => {
    const length = `HTTP/1.1 200 OK\r\ncontent-length: ${MAX_ANSWER_BODY_BYTES * 10}\r\n\r\n`;
    const outcome = await sendTo(say(`${length}x${'é'.repeat(MAX_ANSWER_BODY_BYTES)}`));
    expect(outcome).toMatchObject({ kind: 'answered', body: `x${'é'.repeat(MAX_ANSWER_BODY_BYTES / 2 - 1)}` });
  });

  it('of exactly the bound is whole', async () => {
    const body = 'x'.repeat(MAX_ANSWER_BODY_BYTES);
    expect(await sendTo(say(plainAnswer('200 OK', body)))).toMatchObject({ kind: 'answered', body });
  });

  it('without an end is left when enough was read', async () => {
    const endless = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const more = (): void => {
        if (!socket.destroyed) socket.write(`400\r\n${'y'.repeat(1_024)}\r\n`, () => setImmediate(more));
      };
      more();
    };
    expect(await sendTo(endless)).toMatchObject({ kind: 'answered', body: 'y'.repeat(MAX_ANSWER_BODY_BYTES) });
  });
});

describe('a receiver runs out of time when it', () => {
  const drip = (socket: Socket, first: string, text: string): void => {
    socket.write(first);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), 20);
  };
  it.each<[string, RawReceiverOptions['answer']]>([
    ['says nothing', () => undefined],
    ['stops in the first line', say('HTTP/1.1 20')],
    ['stops in the headers', say('HTTP/1.1 200 OK\r\nx-a: ')],
    ['drips its headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-a: ', 'a')],
    ['stops in the body', say('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab')],
    ['drips its body', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'a')],
    ['only ever promises an answer', (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
  ])('%s', async (_, answer) => {
    const outcome = await sendTo(answer, SHORT_MS);
    expect(outcome.kind).toBe('timed_out');
    expect(outcome.tookMs).toBeGreaterThanOrEqual(SHORT_MS - 10);
  });

  it('has a name that nobody resolves', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const request = { url: 'http://slow.example.com/', headers: {}, body: '', timeoutMs: SHORT_MS };
    expect((await httpClient({ resolve }).send(request)).kind).toBe('timed_out');
  });
});

describe('a request fails, and says why, when the receiver', () => {
  it.each<[string, RawReceiverOptions['answer'], RegExp]>([
    ['speaks no HTTP', sayAndEnd('SSH-2.0-OpenSSH_9.6\r\n'), /^the answer is not HTTP$/],
    ['talks garbage', (socket) => socket.end(Buffer.alloc(4_096, 0xfe)), /^the answer is not HTTP$/],
    ['closes without a word', (socket) => socket.end(), /^the connection broke before the answer was complete/],
    ['resets the connection', (socket) => socket.resetAndDestroy(), /^the connection broke before the answer was/],
    ['gives half a head', sayAndEnd('HTTP/1.1 200 OK\r\nx-a'), /^the connection broke|^the answer is not HTTP/],
    [
      'gives half a body',
      sayAndEnd('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'),
      /^the connection broke|not HTTP/,
    ],
    [
      'sends too many headers',
      say(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(MAX_ANSWER_HEADER_BYTES)}\r\n\r\n`),
      /too large/,
    ],
    ['contradicts its length', say('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n'), /^the answer is not HTTP$/],
    ['changes the protocol', say('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), /broke|HTTP/],
  ])('%s', async (_, answer, why) => {
    const outcome = await sendTo(answer);
    expect(outcome).toMatchObject({ kind: 'failed', why: expect.stringMatching(why) });
  });

  it('is not there', async () => {
    const gone = await openRawReceiver({ answer: () => undefined });
    await gone.close();
    const url = `http://127.0.0.1:${gone.port}/`;
    const outcome = await httpClient().send({ url, headers: {}, body: '', timeoutMs: PATIENCE_MS });
    expect(outcome).toMatchObject({ kind: 'failed', why: 'the host refused the connection (ECONNREFUSED)' });
  });

  it('has a name without an address', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    const request = { url: 'http://gone.example.com/', headers: {}, body: '', timeoutMs: PATIENCE_MS };
    expect(await httpClient({ resolve }).send(request)).toMatchObject({ why: 'the name has no address (ENOTFOUND)' });
    expect((await httpClient({ resolve: async () => [] }).send(request)).kind).toBe('failed');
  });

  it('is being talked to while the service stops', async () => {
    const { port } = await receiver(() => undefined);
    const stopping = httpClient();
    const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '', timeoutMs: PATIENCE_MS };
    const sent = stopping.send(request);
    await sleep(50);
    await stopping.close();
    expect((await sent).kind).toBe('failed');
    expect((await stopping.send(request)).kind).toBe('not_sent');
  });
});
