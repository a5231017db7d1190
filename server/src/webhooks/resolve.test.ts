import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { askNameServers, resolverFor } from './resolve.ts';

const [A, AAAA] = [1, 28];
const NO_SUCH_NAME = 3;

const closings: (() => void)[] = [];

afterEach(() => {
  for (const close of closings.splice(0)) close();
});

type Records = { readonly ipv4?: readonly (readonly number[])[]; readonly ipv6?: readonly (readonly number[])[] };

/** A name server on loopback. A family that is left out is never answered; an empty one has no addresses. */
async function nameServer(records: Records | 'no such name'): Promise<readonly string[]> {
  const socket = createSocket('udp4', (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = question.readUInt16BE(question.length - 4);
    const found = records === 'no such name' ? [] : type === A ? records.ipv4 : records.ipv6;
    if (found === undefined) return;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 + (records === 'no such name' ? NO_SUCH_NAME : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found.length, 6);
    const answers = found.map((bytes) => answerOf(type === AAAA ? AAAA : A, bytes));
    socket.send(Buffer.concat([head, question, ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closings.push(() => socket.close());
  return [`127.0.0.1:${socket.address().port}`];
}

/** The name is the one that was asked for; one minute; internet. */
function answerOf(type: number, bytes: readonly number[]): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

const V4 = [203, 0, 113, 7];
const V6 = [0x20, 0x01, 0x0d, 0xb8, ...Array<number>(11).fill(0), 1];

describe('asking name servers', () => {
  it.each<[string, Records, string[]]>([
    ['gives the addresses of both families', { ipv4: [V4], ipv6: [V6] }, ['203.0.113.7', '2001:db8::1']],
    ['gives all addresses', { ipv4: [V4, [127, 0, 0, 1]], ipv6: [] }, ['203.0.113.7', '127.0.0.1']],
    ['is content with IPv4 alone', { ipv4: [V4], ipv6: [] }, ['203.0.113.7']],
    ['is content with IPv6 alone', { ipv4: [], ipv6: [V6] }, ['2001:db8::1']],
    ['does not wait for a family that is not answered', { ipv4: [V4] }, ['203.0.113.7']],
  ])('%s', async (_, records, addresses) => {
    const found = await askNameServers('hooks.example.com', { servers: await nameServer(records) });
    expect([...found].sort()).toEqual(addresses.toSorted());
  });

  it.each<[string, Records | 'no such name', string]>([
    ['there is no such name', 'no such name', 'ENOTFOUND'],
    ['the name has no address', { ipv4: [], ipv6: [] }, 'ENODATA'],
  ])('says so when %s', async (_, records, code) => {
    const asked = { servers: await nameServer(records) };
    await expect(askNameServers('hooks.example.com', asked)).rejects.toMatchObject({ code });
  });

  it('says so when nobody answers', async () => {
    const asked = { servers: await nameServer({}), timeoutMs: 250 };
    await expect(askNameServers('hooks.example.com', asked)).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});

describe('asking the machine, in sandbox mode', () => {
  it('knows its own name', async () => {
    expect(await resolverFor('sandbox')('localhost')).toContain('127.0.0.1');
  });
});
