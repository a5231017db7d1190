/**
 * Addresses of files that anybody may open who was given one, until they expire: an HMAC over the path and the time of
 * expiry, under a key derived from the master key. The path holds ids and nothing else. Pure. Open point OP-155.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Seal } from '../accounts/seal.ts';
import type { FileKey } from '../transactions/find-proofs.ts';

/** `keyFor` of the seal, by this name. */
const PURPOSE = 'addresses of files';

/** Seconds since 1970, without a sign or leading zeros, so that a time is written in one way. */
const EXPIRES = /^[1-9][0-9]{0,11}$/;
const SIGNATURE = /^[A-Za-z0-9_-]{43}$/;
const MS_PER_SECOND = 1_000;

export type AddressVerdict = 'good' | 'expired' | 'wrong';

export interface FileAddresses {
  /** Path and query of the address under which the file is found until then. */
  make(key: FileKey, expiresAt: Date): string;
  /** What came in an address, as it came. */
  judge(key: FileKey, query: { readonly expires?: unknown; readonly signature?: unknown }, now: Date): AddressVerdict;
}

export function fileAddresses(seal: Pick<Seal, 'keyFor'>): FileAddresses {
  const secret = seal.keyFor(PURPOSE);
  const sign = (path: string, expires: string) => createHmac('sha256', secret).update(`${expires} ${path}`).digest();
  return {
    make(key, expiresAt) {
      const path = pathOf(key);
      const expires = String(Math.ceil(expiresAt.getTime() / MS_PER_SECOND));
      return `${path}?expires=${expires}&signature=${sign(path, expires).toString('base64url')}`;
    },
    judge(key, { expires, signature }, now) {
      if (typeof expires !== 'string' || !EXPIRES.test(expires)) return 'wrong';
      if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return 'wrong';
      const right = sign(pathOf(key), expires);
      const given = Buffer.from(signature, 'base64url');
      // The last character of the text holds bits that no byte takes: only one spelling is the right one.
      if (!timingSafeEqual(right, given) || right.toString('base64url') !== signature) return 'wrong';
      return now.getTime() < Number(expires) * MS_PER_SECOND ? 'good' : 'expired';
    },
  };
}

function pathOf({ accountId, recipientId, fileId, form }: FileKey): string {
  return `/files/${accountId}/${recipientId}/${fileId}/${form}`;
}
