import { afterEach, describe, expect, it } from 'vitest';
import {
  AUTHORITY,
  RECEIVER_CERTIFICATE,
  RECEIVER_KEY,
  SELF_SIGNED_CERTIFICATE,
  SELF_SIGNED_KEY,
} from '../../../test/support/certificates.ts';
import { openRawReceiver, plainAnswer } from '../../../test/support/raw-receiver.ts';
import type { Resolve } from './resolve.ts';
import { type SenderOptions, UndiciSender } from './undici-sender.ts';

const PATIENCE_MS = 20_000;
/** Stands for a public address: the only one that tests allow in live mode. */
const GOOD = '127.0.0.2';
const INNER = '127.0.0.1';
const CERTIFIED = { cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY };
const SELF_SIGNED = { cert: SELF_SIGNED_CERTIFICATE, key: SELF_SIGNED_KEY };

const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function receiver(host: string, tls: { cert: string; key: string }, port = 0) {
  const answer = plainAnswer('200 OK', host, 'connection: close\r\n');
  const opened = await openRawReceiver({ host, port, tls, answer: (socket) => socket.end(answer) });
  closings.push(opened.close);
  return opened;
}

function live(options: Partial<SenderOptions>): UndiciSender {
  const made = new UndiciSender({ mode: 'live', exceptAddresses: [GOOD], authorities: AUTHORITY, ...options });
  closings.push(() => made.close());
  return made;
}

function send(httpClient: UndiciSender, port: number, host = 'receiver.example.com') {
  return httpClient.send({ url: `https://${host}:${port}/hook`, headers: {}, body: '{}', timeoutMs: PATIENCE_MS });
}

describe('in live mode a name is refused that leads to', () => {
  it.each<[string, readonly string[]]>([
    ['loopback', [INNER]],
    ['IPv6 loopback', ['::1']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['this network', ['0.0.0.0']],
    ['the unspecified address', ['::']],
    ['a private address', ['10.1.2.3']],
    ['an IPv6 private address', ['fd00::1']],
    ['the metadata service', ['169.254.169.254']],
    ['an IPv6 metadata service', ['fd00:ec2::254']],
    ['a shared address', ['100.64.0.1']],
    ['a link-local address', ['fe80::1']],
    ['an address with a zone', ['fe80::1%lo']],
    ['multicast', ['224.0.0.1']],
    ['NAT64 of loopback', ['64:ff9b::7f00:1']],
    ['6to4 of loopback', ['2002:7f00:1::']],
    ['good and then bad', [GOOD, INNER]],
    ['bad and then good', [INNER, GOOD]],
    ['good and IPv6 loopback', [GOOD, '::1']],
    ['another name', ['inner.example.com']],
    ['an address in hex', ['0x7f000001']],
    ['an empty text', ['']],
    ['more addresses than anybody has', Array.from({ length: 33 }, () => GOOD)],
  ])('%s', async (_, addresses) => {
    const { port, connections } = await receiver(INNER, CERTIFIED);
    const outcome = await send(live({ resolve: async () => addresses }), port);
    expect(outcome).toMatchObject({ kind: 'refused_address', why: expect.stringMatching(/^the address leads to /) });
    expect(connections()).toBe(0);
  });
});

describe('a name that changes its answer', () => {
  /** The inner one first: on its address other programs have ports too, on the good one nobody has. */
  async function twoAtOnePort() {
    const inner = await receiver(INNER, CERTIFIED);
    return { inner, good: await receiver(GOOD, CERTIFIED, inner.port) };
  }

  /** One answer for each time that it is asked. */
  function changing(answers: string[][]): { resolve: Resolve; asked: () => number } {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return answers[asked - 1] ?? [INNER];
    };
    return { resolve, asked: () => asked };
  }

  it('after it was checked is not asked again: the checked address is the one that is called', async () => {
    const { good, inner } = await twoAtOnePort();
    const { resolve, asked } = changing([[GOOD], [INNER]]);
    const httpClient = live({ resolve });
    expect(await send(httpClient, good.port)).toMatchObject({ kind: 'answered', body: GOOD });
    expect(asked()).toBe(1);
    expect(inner.connections()).toBe(0);
  });

  it('before the next connection is refused then, although it was good before', async () => {
    const { good, inner } = await twoAtOnePort();
    const httpClient = live({ resolve: changing([[GOOD], [INNER], [GOOD, INNER], [GOOD]]).resolve });
    expect(await send(httpClient, good.port)).toMatchObject({ kind: 'answered', body: GOOD });
    expect(await send(httpClient, good.port)).toMatchObject({ kind: 'refused_address' });
    expect(await send(httpClient, good.port)).toMatchObject({ kind: 'refused_address' });
    expect(await send(httpClient, good.port)).toMatchObject({ kind: 'answered', body: GOOD });
    expect(inner.connections()).toBe(0);
  });

  it('between the check and the connection gets no byte of the request', async () => {
    const { good, inner } = await twoAtOnePort();
    // It passes the check as one address and is called as another one, which no honest resolver can do.
    const lying = Object.assign([GOOD], { map: () => [{ address: INNER, family: 4 }] });
    const outcome = await send(live({ resolve: async () => lying }), good.port);
    expect(outcome).toMatchObject({ kind: 'refused_address' });
    expect(inner.received()).toBe('');
  });
});

describe('a certificate', () => {
  it('of a known authority for the name of the address is accepted', async () => {
    const { port } = await receiver(GOOD, CERTIFIED);
    expect(await send(live({ resolve: async () => [GOOD] }), port)).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('that vouches for itself is refused, and nothing is sent', async () => {
    const { port, received } = await receiver(GOOD, SELF_SIGNED);
    const outcome = await send(live({ resolve: async () => [GOOD] }), port);
    expect(outcome).toMatchObject({ kind: 'failed', why: expect.stringContaining('self-signed') });
    expect(received()).toBe('');
  });

  it('for another name is refused, and nothing is sent', async () => {
    const { port, received } = await receiver(GOOD, CERTIFIED);
    const outcome = await send(live({ resolve: async () => [GOOD] }), port, 'other.example.com');
    expect(outcome).toMatchObject({ kind: 'failed', why: expect.stringContaining('belongs to another name') });
    expect(received()).toBe('');
  });

  it('of an authority that the machine does not know is refused', async () => {
    const { port } = await receiver(GOOD, CERTIFIED);
    const httpClient = new UndiciSender({ mode: 'live', exceptAddresses: [GOOD], resolve: async () => [GOOD] });
    closings.push(() => httpClient.close());
    expect(await send(httpClient, port)).toMatchObject({ kind: 'failed', why: expect.stringContaining('vouches') });
  });

  it('is checked even where the environment says otherwise', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    closings.push(async () => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
    const { port } = await receiver(GOOD, SELF_SIGNED);
    expect((await send(live({ resolve: async () => [GOOD] }), port)).kind).toBe('failed');
  });

  it('cannot be had from a receiver that speaks no TLS', async () => {
    const plain = await openRawReceiver({ host: GOOD, answer: (socket) => socket.end(plainAnswer('200 OK')) });
    closings.push(plain.close);
    const outcome = await send(live({ resolve: async () => [GOOD] }), plain.port);
    expect(outcome).toMatchObject({ kind: 'failed', why: expect.stringContaining('TLS could not be agreed') });
  });
});
