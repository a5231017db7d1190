import { describe, expect, it } from 'vitest';
import { hashBody, isSignature, readSignature, sign, stringToSign } from './signature.ts';

const SECRET = 'test-secret';
const NONCE = '00000000-0000-4000-8000-000000000001';

/** The published vectors (open points 2.1 and 2.2). The last one is a webhook. */
const VECTORS = [
  {
    method: 'GET',
    url: 'http://localhost:3000/v1/accounts',
    body: '',
    signature:
      'bbc15c0e8afe9f1f62ba41c36b701a077b12ab2f6d29fe7456d6f3a13da7a367d45c87fd6c7281b698aea4ba7b7cc3dd37bdfc0698260263d01d0acd2eac550b',
  },
  {
    method: 'GET',
    url: 'http://localhost:3000/v1/transactions?external_id=Transaction%3ANGN%3A17523',
    body: '',
    signature:
      '99b19e7d6e0d92bd2be39e9acd8ac4fbb088ba7283beba828b8068ae9ecb98bc4c1bdc4c0b0a858e359550d6a76be0119bc0b29a51ac492ed4d7c8f11395c73e',
  },
  {
    method: 'POST',
    url: 'http://localhost:3000/v1/accounts/debits',
    body: '{"debit":{"to_id":"5f44026b-7904-4c30-87d6-f8972d790ded","to_type":"Transaction"}}',
    signature:
      '7e15c64d9ce425b5a1eee69ed3092cdeac4779445b13d9fac89d0da8a131df83968cad34263a171dc22d933fac15bba837aeabad0c0c501e42c2d42627993c1a',
  },
  {
    method: 'DELETE',
    url: 'https://api.example.test/v1/recipients/31288256-ec72-4a0a-bab7-06fb3a6cc8dd',
    body: '',
    signature:
      'b25d1fdfc6fee68ba883671a62bd4f89f39a709c7290055db77bc682c7c7a71ca9398484b95ce542855c0ac8d514a5d8631963d822b716dea3bc0846b8c826ca',
  },
  {
    method: 'POST',
    url: 'https://merchant.example.test/hooks?x=1',
    body: '{"webhook":"w1","event":"transaction.paid_out","object":{"id":"t1"}}',
    signature:
      'a435338828c7b5bd0988f6d0ebff872a5ca0068e48cd6ec760bab5b44d70524b4b84b8a755ce5018ded5e22f4827486a2f796a2e54cfc5ee407dce55d8a75905',
  },
];

function isAccepted(text: string, call: { method: string; url: string; body: string }, secret = SECRET): boolean {
  const signature = readSignature(text);
  const parts = { nonce: NONCE, method: call.method, url: call.url, bodyHash: hashBody(call.body) };
  return signature !== undefined && isSignature(signature, parts, secret);
}

describe('the signature of a call', () => {
  it.each(VECTORS)('of $method $url is the published one', ({ signature, ...call }) => {
    expect(sign({ ...call, secret: SECRET, nonce: NONCE })).toBe(signature);
    expect(isAccepted(signature, call)).toBe(true);
  });

  it.each(VECTORS)('of $method $url is refused as soon as one part differs', ({ signature, ...call }) => {
    expect(isAccepted(signature, { ...call, method: call.method === 'GET' ? 'POST' : 'GET' })).toBe(false);
    expect(isAccepted(signature, { ...call, url: `${call.url}/` })).toBe(false);
    expect(isAccepted(signature, { ...call, body: `${call.body} ` })).toBe(false);
    expect(isAccepted(signature, call, 'other-secret')).toBe(false);
  });

  it('joins nonce, method, address and body hash by single ampersands', () => {
    const bodyHash = hashBody('');
    expect(stringToSign({ nonce: 'n', method: 'GET', url: 'http://h/v1', bodyHash })).toBe(
      `n&GET&http://h/v1&${bodyHash}`,
    );
  });

  it('hashes the bytes of the body, so that a text and its UTF-8 bytes agree', () => {
    expect(hashBody(Buffer.from('{"name":"Zoë"}', 'utf8'))).toBe(hashBody('{"name":"Zoë"}'));
    expect(hashBody(new Uint8Array(0))).toBe(hashBody(''));
    expect(hashBody('')).toMatch(/^cf83e1357eefb8bd.*927da3e$/);
  });

  it.each([
    ['upper case', (hex: string) => hex.toUpperCase()],
    ['too short', (hex: string) => hex.slice(2)],
    ['too long', (hex: string) => `${hex}00`],
    ['empty', () => ''],
    ['not hex', (hex: string) => `g${hex.slice(1)}`],
    ['with a space', (hex: string) => ` ${hex.slice(1)}`],
    ['with a line break', (hex: string) => `${hex}\n`],
    ['one digit changed', (hex: string) => (hex.startsWith('b') ? 'c' : 'b') + hex.slice(1)],
  ])('is refused when it is %s', (_, change) => {
    for (const { signature, ...call } of VECTORS) expect(isAccepted(change(signature), call)).toBe(false);
  });
});
