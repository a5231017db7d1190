/**
 * Secrets at rest: AES-256-GCM under the master key. The name of what is sealed is bound to it, so that a sealed secret
 * cannot be moved to another key's row. Keys for other purposes are derived from the same master key.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { assert } from '../kernel/assert.ts';

const VECTOR_BYTES = 12;
const TAG_BYTES = 16;
export const MASTER_KEY_BYTES = 32;

export interface Seal {
  seal(name: string, secret: string): Buffer;
  open(name: string, sealed: Uint8Array): string;
  /** A key for another purpose, always the same for the same name. It tells nothing about the master key. */
  keyFor(purpose: string): Buffer;
}

/** Thrown when a sealed secret does not open: another master key, or a changed row. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

export function sealWith(masterKey: Buffer): Seal {
  assert(masterKey.length === MASTER_KEY_BYTES, 'the master key has 32 bytes');
  return {
    seal(name, secret) {
      const vector = randomBytes(VECTOR_BYTES);
      const cipher = createCipheriv('aes-256-gcm', masterKey, vector).setAAD(Buffer.from(name));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([vector, cipher.getAuthTag(), text]);
    },
    open(name, sealed) {
      const bytes = Buffer.from(sealed);
      try {
        const vector = bytes.subarray(0, VECTOR_BYTES);
        // The length of the tag is fixed, because a shorter one would be accepted and is easier to guess.
        const decipher = createDecipheriv('aes-256-gcm', masterKey, vector, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(name))
          .setAuthTag(bytes.subarray(VECTOR_BYTES, VECTOR_BYTES + TAG_BYTES));
        const text = bytes.subarray(VECTOR_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
      } catch (fault) {
        throw new SealBroken(`the secret of ${name} cannot be opened with this master key`, { cause: fault });
      }
    },
    keyFor: (purpose) => Buffer.from(hkdfSync('sha256', masterKey, '', `payferry ${purpose}`, MASTER_KEY_BYTES)),
  };
}

/** Opens what either of them sealed; everything new is of the first. For the time in which a master key is replaced. */
export function sealWithEither(present: Seal, previous: Seal): Seal {
  return {
    ...present,
    open(name, sealed) {
      try {
        return present.open(name, sealed);
      } catch (fault) {
        if (!(fault instanceof SealBroken)) throw fault;
        return previous.open(name, sealed);
      }
    },
  };
}
