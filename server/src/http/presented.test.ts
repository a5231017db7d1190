import { describe, expect, it } from 'vitest';
import { readPresented } from './presented.ts';

const SIGNATURE = '0f'.repeat(64);
const HEADERS = [
  'Host',
  'x',
  'Authorization-Key',
  'key-1',
  'Authorization-Nonce',
  'n',
  'Authorization-Signature',
  SIGNATURE,
];

const without = (name: string) => {
  const at = HEADERS.indexOf(name);
  return HEADERS.filter((_, index) => index !== at && index !== at + 1);
};
const withValue = (name: string, value: string) => [...without(name), name, value];

describe('the three headers of a call', () => {
  it('are read in any order and any case of their names', () => {
    const expected = { key: 'key-1', nonce: 'n', signature: Buffer.from(SIGNATURE, 'hex') };
    expect(readPresented(HEADERS)).toEqual(expected);
    const turned = ['AUTHORIZATION-SIGNATURE', SIGNATURE, 'authorization-nonce', 'n', 'AuThOrIzAtIoN-KeY', 'key-1'];
    expect(readPresented(turned)).toEqual(expected);
  });

  it.each(['Authorization-Key', 'Authorization-Nonce', 'Authorization-Signature'])('are refused without %s', (name) => {
    expect(readPresented(without(name))).toBe('headers_missing');
    expect(readPresented(withValue(name, ''))).toBe('headers_missing');
  });

  it.each(['Authorization-Key', 'authorization-nonce', 'AUTHORIZATION-SIGNATURE'])(
    'are refused with two of %s',
    (name) => {
      const value = { 'authorization-key': 'key-1', 'authorization-nonce': 'n' }[name.toLowerCase()] ?? SIGNATURE;
      expect(readPresented([...HEADERS, name, value])).toBe('header_doubled');
    },
  );

  it.each([
    ['a nonce of 200 characters', 'Authorization-Nonce', 'n'.repeat(200), undefined],
    ['a nonce of 201 characters', 'Authorization-Nonce', 'n'.repeat(201), 'nonce_malformed'],
    ['a nonce with a control character', 'Authorization-Nonce', 'a\u0007b', 'nonce_malformed'],
    ['a nonce beyond ASCII', 'Authorization-Nonce', 'n\u00e9', 'nonce_malformed'],
    ['a key of 100 characters', 'Authorization-Key', 'k'.repeat(100), undefined],
    ['a key of 101 characters', 'Authorization-Key', 'k'.repeat(101), 'key_malformed'],
    ['a key with a space', 'Authorization-Key', 'key 1', 'key_malformed'],
    ['a signature in upper case', 'Authorization-Signature', 'AB'.repeat(64), 'signature_malformed'],
    ['a signature that is too short', 'Authorization-Signature', 'ab'.repeat(63), 'signature_malformed'],
  ])('with %s are judged by their form', (_, name, value, fault) => {
    expect(readPresented(withValue(name, value))).toEqual(
      fault ?? expect.objectContaining({ key: expect.any(String) }),
    );
  });

  it('are not found in nothing', () => {
    expect(readPresented([])).toBe('headers_missing');
    expect(readPresented(['Authorization-Key'])).toBe('headers_missing');
  });
});
