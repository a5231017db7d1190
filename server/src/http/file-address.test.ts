import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealWith } from '../accounts/seal.ts';
import { disposition } from '../documents/disposition.ts';
import { FILE_FORMS, type FileKey } from '../transactions/find-proofs.ts';
import { fileAddresses } from './file-address.ts';

const addresses = fileAddresses(sealWith(Buffer.alloc(32, 1)));
const SECOND_MS = 1_000;

const keys: fc.Arbitrary<FileKey> = fc.record({
  accountId: fc.uuid(),
  recipientId: fc.uuid(),
  fileId: fc.uuid(),
  form: fc.constantFrom(...FILE_FORMS),
});
const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });

/** What a server reads from an address; undefined when it leads nowhere at all. */
function readAddress(address: string) {
  const [, accountId, recipientId, fileId, form, query] =
    /^\/files\/([^/?]+)\/([^/?]+)\/([^/?]+)\/(content|thumbnail)\?(.*)$/s.exec(address) ?? [];
  if (!accountId || !recipientId || !fileId || (form !== 'content' && form !== 'thumbnail')) return undefined;
  const pairs = new URLSearchParams(query);
  const one = (name: string) => (pairs.getAll(name).length === 1 ? pairs.get(name) : pairs.getAll(name));
  return {
    key: { accountId, recipientId, fileId, form } as const,
    query: { expires: one('expires'), signature: one('signature') },
  };
}

function judge(address: string, now: Date) {
  const read = readAddress(address);
  return read ? addresses.judge(read.key, read.query, now) : 'wrong';
}

describe('the address of a file', () => {
  it('is good until it expires, and not a millisecond longer', () => {
    fc.assert(
      fc.property(keys, times, (key, at) => {
        const address = addresses.make(key, at);
        const endMs = Math.ceil(at.getTime() / SECOND_MS) * SECOND_MS;
        expect(judge(address, new Date(endMs - 1))).toBe('good');
        expect(judge(address, new Date(endMs))).toBe('expired');
        expect(address).toMatch(/^[A-Za-z0-9/?=&_-]+$/);
      }),
    );
  });

  it('is wrong as soon as one character of it is another one, is missing, or is added', () => {
    const ascii = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(keys, times, fc.nat(), ascii, fc.constantFrom(0, 1), (key, at, where, letter, drop) => {
        const address = addresses.make(key, at);
        const place = where % address.length;
        const changed = address.slice(0, place) + letter + address.slice(place + drop);
        fc.pre(changed !== address);
        // A parameter that nobody reads, or a name in front of the others, changes nothing of what is asked for.
        fc.pre(JSON.stringify(readAddress(changed)) !== JSON.stringify(readAddress(address)));
        expect(judge(changed, new Date(0))).toBe('wrong');
        const without = address.slice(0, place) + address.slice(place + 1);
        expect(judge(without, new Date(0))).toBe('wrong');
      }),
      { numRuns: 2_000 },
    );
  });

  it('is wrong under every other spelling of its last character, of which some stand for the same bytes', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    fc.assert(
      fc.property(keys, times, (key, at) => {
        const address = addresses.make(key, at);
        const spelled = [...alphabet].map((letter) => address.slice(0, -1) + letter);
        expect(spelled.filter((each) => judge(each, new Date(0)) !== 'wrong')).toEqual([address]);
      }),
      { numRuns: 10 },
    );
  });

  it('of one file opens no other file, form, recipient or account', () => {
    fc.assert(
      fc.property(keys, keys, times, (one, other, at) => {
        const query = readAddress(addresses.make(one, at))?.query ?? {};
        for (const field of ['accountId', 'recipientId', 'fileId', 'form'] as const) {
          fc.pre(one[field] !== other[field]);
          expect(addresses.judge({ ...one, [field]: other[field] }, query, new Date(0))).toBe('wrong');
        }
      }),
    );
  });

  it('is wrong under another master key, and the same under the same one', () => {
    const key = { accountId: 'a', recipientId: 'r', fileId: 'f', form: 'content' } as const;
    const at = new Date('2026-11-15T12:00:00.000Z');
    const address = addresses.make(key, at);
    expect(fileAddresses(sealWith(Buffer.alloc(32, 1))).make(key, at)).toBe(address);
    expect(fileAddresses(sealWith(randomBytes(32))).make(key, at)).not.toBe(address);
  });

  it.each([
    ['no signature', { expires: '1763208000' }],
    ['no time', { signature: 'a'.repeat(43) }],
    ['two times', { expires: ['1763208000', '1763208000'], signature: 'a'.repeat(43) }],
    ['a time below zero', { expires: '-1', signature: 'a'.repeat(43) }],
    ['a time that is no number', { expires: 'never', signature: 'a'.repeat(43) }],
    ['a short signature', { expires: '1763208000', signature: 'a' }],
  ])('is wrong with %s', (_what, query) => {
    const key = { accountId: 'a', recipientId: 'r', fileId: 'f', form: 'content' } as const;
    expect(addresses.judge(key, query, new Date(0))).toBe('wrong');
  });
});

describe('the name under which a file is saved', () => {
  it.each([
    ['slip.pdf', `attachment; filename="slip.pdf"; filename*=UTF-8''slip.pdf`],
    [
      'Beleg "über" 1.pdf',
      `attachment; filename="Beleg __ber_ 1.pdf"; filename*=UTF-8''Beleg%20%22%C3%BCber%22%201.pdf`,
    ],
    ["it's (1)*.pdf", `attachment; filename="it's (1)*.pdf"; filename*=UTF-8''it%27s%20%281%29%2A.pdf`],
  ])('%s', (name, header) => {
    expect(disposition('attachment', name)).toBe(header);
  });
});
