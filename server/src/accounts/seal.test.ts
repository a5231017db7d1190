import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { MASTER_KEY_BYTES, SealBroken, sealWith, sealWithEither } from './seal.ts';

const RUNS = 300;
const masterKey = randomBytes(MASTER_KEY_BYTES);
const { seal, open } = sealWith(masterKey);
const SECRET = 'sk_4f9c21';

describe('a sealed secret', () => {
  it('opens to what was sealed, whatever it was', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (name, secret) => {
        expect(open(name, seal(name, secret))).toBe(secret);
      }),
      { numRuns: RUNS },
    );
  });

  it('opens from the bytes that a database gives back', () => {
    expect(open('key_1', new Uint8Array(seal('key_1', SECRET)))).toBe(SECRET);
  });

  it('does not show the secret, and looks different each time', () => {
    const [first, second] = [seal('key_1', SECRET), seal('key_1', SECRET)];
    expect(first.includes(SECRET)).toBe(false);
    expect(first.equals(second)).toBe(false);
  });

  it('does not open under another master key', () => {
    const other = sealWith(randomBytes(MASTER_KEY_BYTES));
    expect(() => other.open('key_1', seal('key_1', SECRET))).toThrow(SealBroken);
  });

  it('does not open when it was moved to another name', () => {
    expect(() => open('key_2', seal('key_1', SECRET))).toThrow(SealBroken);
  });

  it('does not open when any one of its bytes was changed', () => {
    const sealed = seal('key_1', SECRET);
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => open('key_1', changed)).toThrow(SealBroken);
    }
  });

  it('does not open when it was cut short, wherever', () => {
    const sealed = seal('key_1', SECRET);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => open('key_1', sealed.subarray(0, length))).toThrow(SealBroken);
    }
  });

  it('does not open with a shorter tag, which would be easier to guess', () => {
    const sealed = seal('key_1', '');
    expect(open('key_1', sealed)).toBe('');
    for (const cut of [1, 4, 12])
      expect(() => open('key_1', sealed.subarray(0, sealed.length - cut))).toThrow(SealBroken);
  });

  it('says whose it is when it does not open, and never what it is', () => {
    expect(() => open('key_2', seal('key_1', SECRET))).toThrow('the secret of key_2 cannot be opened');
  });
});

it.each([0, 16, 31, 33])('a master key of %i bytes is not accepted', (bytes) => {
  expect(() => sealWith(randomBytes(bytes))).toThrow(BrokenInvariant);
});

describe('a seal of two master keys', () => {
  const [previous, present] = [sealWith(masterKey), sealWith(randomBytes(MASTER_KEY_BYTES))];
  const both = sealWithEither(present, previous);

  it('opens what either has sealed, and seals and derives with the present one alone', () => {
    expect(both.open('key_1', previous.seal('key_1', SECRET))).toBe(SECRET);
    expect(both.open('key_1', present.seal('key_1', SECRET))).toBe(SECRET);
    expect(present.open('key_1', both.seal('key_1', SECRET))).toBe(SECRET);
    expect(both.keyFor('files')).toEqual(present.keyFor('files'));
  });

  it('does not open what a third has sealed', () => {
    const third = sealWith(randomBytes(MASTER_KEY_BYTES));
    expect(() => both.open('key_1', third.seal('key_1', SECRET))).toThrow(SealBroken);
  });
});
