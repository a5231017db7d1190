import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fault, signForTest, verify, type WebhookHeaders, whyNot } from './webhooks.ts';

const KEY = 'test-key';
const SECRET = 'test-secret';
const NONCE = '00000000-0000-4000-8000-000000000001';
const URL = 'https://merchant.example.test/hooks?x=1';
const BODY = '{"webhook":"w1","event":"transaction.paid_out","object":{"id":"t1"}}';
/** The published vector (open points 2.2). */
const SIGNATURE =
  'a435338828c7b5bd0988f6d0ebff872a5ca0068e48cd6ec760bab5b44d70524b4b84b8a755ce5018ded5e22f4827486a2f796a2e54cfc5ee407dce55d8a75905';
const HEADERS = {
  'authorization-key': KEY,
  'authorization-nonce': NONCE,
  'authorization-signature': SIGNATURE,
};
const PUBLISHED_NAMES = {
  'Authorization-Key': KEY,
  'Authorization-Nonce': NONCE,
  'Authorization-Signature': SIGNATURE,
};

describe('a webhook is genuine', () => {
  it.each<[string, WebhookHeaders]>([
    ['with names in lower case, as Node gives them', HEADERS],
    ['with names as they are published', PUBLISHED_NAMES],
    ['with names in capitals', { ...HEADERS, 'authorization-key': undefined, 'AUTHORIZATION-KEY': KEY }],
    ['with values in lists', Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, [value]]))],
    ['with the headers of fetch', new Headers(HEADERS)],
    ['among other headers', { host: 'merchant.example.test', 'set-cookie': ['a', 'b'], ...HEADERS }],
  ])('%s', (_, headers) => {
    expect(whyNot(URL, BODY, headers, KEY, SECRET)).toBeUndefined();
    expect(verify(URL, BODY, headers, KEY, SECRET)).toBe(true);
  });

  it('with its body as a Buffer or as other bytes', () => {
    expect(verify(URL, Buffer.from(BODY), HEADERS, KEY, SECRET)).toBe(true);
    expect(verify(URL, new TextEncoder().encode(BODY), HEADERS, KEY, SECRET)).toBe(true);
  });
});

describe('a webhook is not genuine', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(HEADERS).filter(([given]) => given !== name));
  it.each<[string, WebhookHeaders, Fault]>([
    ['without headers', {}, 'missing_header'],
    ['without its key', without('authorization-key'), 'missing_header'],
    ['without its nonce', without('authorization-nonce'), 'missing_header'],
    ['without its signature', without('authorization-signature'), 'missing_header'],
    ['with an empty nonce', { ...HEADERS, 'authorization-nonce': '' }, 'missing_header'],
    ['with an empty list', { ...HEADERS, 'authorization-signature': [] }, 'missing_header'],
    ['with two signatures', { ...HEADERS, 'authorization-signature': [SIGNATURE, SIGNATURE] }, 'repeated_header'],
    ['with two nonces in different case', { ...HEADERS, 'Authorization-Nonce': NONCE }, 'repeated_header'],
    ['with the key of somebody else', { ...HEADERS, 'authorization-key': 'other-key' }, 'other_key'],
    ['with another nonce', { ...HEADERS, 'authorization-nonce': `${NONCE}0` }, 'wrong_signature'],
    ['signed in capitals', { ...HEADERS, 'authorization-signature': SIGNATURE.toUpperCase() }, 'malformed_signature'],
    ['signed too shortly', { ...HEADERS, 'authorization-signature': SIGNATURE.slice(2) }, 'malformed_signature'],
    ['signed with no hex', { ...HEADERS, 'authorization-signature': 'z'.repeat(128) }, 'malformed_signature'],
    ['signed with zeros', { ...HEADERS, 'authorization-signature': '0'.repeat(128) }, 'wrong_signature'],
  ])('%s', (_, headers, fault) => {
    expect(whyNot(URL, BODY, headers, KEY, SECRET)).toBe(fault);
    expect(verify(URL, BODY, headers, KEY, SECRET)).toBe(false);
  });

  it.each([
    ['at another address', 'https://merchant.example.test/hooks', BODY, SECRET],
    ['at the same address with another scheme', 'http://merchant.example.test/hooks?x=1', BODY, SECRET],
    ['with a space more in its body', URL, `${BODY} `, SECRET],
    ['with an empty body', URL, '', SECRET],
    ['under another secret', URL, BODY, 'Test-secret'],
  ])('%s', (_, url, body, secret) => {
    expect(whyNot(url, body, HEADERS, KEY, secret)).toBe('wrong_signature');
  });
});

describe('a mistake in the receiver is told at once', () => {
  it.each([[{ webhook: 'w1' }], [undefined], [null], [7]])('a body that was parsed: %j', (parsed) => {
    expect(() => Reflect.apply(verify, undefined, [URL, parsed, HEADERS, KEY, SECRET])).toThrow(/not what was parsed/);
  });

  it('an empty secret', () => {
    expect(() => verify(URL, BODY, HEADERS, KEY, '')).toThrow(/anybody could sign/);
  });
});

describe('headers for tests', () => {
  it('are those that Payferry would send, with a new nonce each time', () => {
    const [first, second] = [signForTest(URL, BODY, KEY, SECRET), signForTest(URL, BODY, KEY, SECRET)];
    expect(Object.keys(first)).toEqual(Object.keys(PUBLISHED_NAMES));
    expect(first['Authorization-Nonce']).not.toBe(second['Authorization-Nonce']);
  });

  it('are accepted for what was signed, and for nothing else', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.webUrl(), text, fc.string({ minLength: 1 }), text, (url, body, secret, other) => {
        const headers = signForTest(url, body, KEY, secret);
        expect(verify(url, body, headers, KEY, secret)).toBe(true);
        expect(verify(url, Buffer.from(body), headers, KEY, secret)).toBe(true);
        expect(verify(url, `${body}${other}`, headers, KEY, secret)).toBe(other === '');
      }),
    );
  });
});
