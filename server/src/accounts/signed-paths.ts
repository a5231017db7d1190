/**
 * Paths of files that anybody may open who was given one, until they expire: an HMAC over the path and the time of
 * expiry, under a key derived from the master key for one purpose. Pure. Open point OP-155.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Seal } from './seal.ts';

/** Seconds since 1970, without a sign or leading zeros, so that a time is written in one way. */
const EXPIRES = /^[1-9][0-9]{0,11}$/;
const SIGNATURE = /^[A-Za-z0-9_-]{43}$/;
const MS_PER_SECOND = 1_000;

export type PathVerdict = 'good' | 'expired' | 'wrong';

interface SignedPaths {
  /** Path and query under which the file is found until then. */
  make(path: string, expiresAt: Date): string;
  /** What came in an address, as it came. */
  judge(path: string, query: { readonly expires?: unknown; readonly signature?: unknown }, now: Date): PathVerdict;
}

/** A path that was signed for one purpose is wrong for every other. */
export function signedPaths(seal: Pick<Seal, 'keyFor'>, purpose: string): SignedPaths {
  const secret = seal.keyFor(purpose);
  const sign = (path: string, expires: string) => createHmac('sha256', secret).update(`${expires} ${path}`).digest();
  return {
    make(path, expiresAt) {
      const expires = String(Math.ceil(expiresAt.getTime() / MS_PER_SECOND));
      return `${path}?expires=${expires}&signature=${sign(path, expires).toString('base64url')}`;
    },
    judge(path, { expires, signature }, now) {
      if (typeof expires !== 'string' || !EXPIRES.test(expires)) return 'wrong';
      if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return 'wrong';
      const right = sign(path, expires);
      const given = Buffer.from(signature, 'base64url');
      // The last character of the text holds bits that no byte takes: only one spelling is the right one.
      if (!timingSafeEqual(right, given) || right.toString('base64url') !== signature) return 'wrong';
      return now.getTime() < Number(expires) * MS_PER_SECOND ? 'good' : 'expired';
    },
  };
}
