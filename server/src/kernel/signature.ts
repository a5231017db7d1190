/**
 * The published signature of a call: HMAC-SHA512 over nonce, method, full address and the SHA-512 of the body, all in
 * lower-case hex. The same formula signs webhooks. Which address a caller may have signed is in signed-urls.ts.
 * Spec: Authentication. Open points OP-62, OP-63, OP-66.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

interface SignedParts {
  readonly nonce: string;
  readonly method: string;
  /** Complete, as the caller wrote it: scheme, host, port if it wrote one, path and query. */
  readonly url: string;
  /** Of the bytes that are sent; `hashBody` makes it. */
  readonly bodyHash: string;
}

interface CallToSign {
  readonly method: string;
  readonly url: string;
  readonly body: Uint8Array | string;
  readonly secret: string;
  readonly nonce: string;
}

const EMPTY_BODY_HASH = hash('sha512', '', 'hex');
/** 64 bytes. Upper case is refused: the published client libraries compare the text itself. */
const SIGNATURE_TEXT = /^[0-9a-f]{128}$/;

export function hashBody(body: Uint8Array | string): string {
  return body.length === 0 ? EMPTY_BODY_HASH : hash('sha512', body, 'hex');
}

export function stringToSign({ nonce, method, url, bodyHash }: SignedParts): string {
  return `${nonce}&${method}&${url}&${bodyHash}`;
}

export function sign({ method, url, body, secret, nonce }: CallToSign): string {
  return hmac(secret, { nonce, method, url, bodyHash: hashBody(body) }).toString('hex');
}

/** The bytes of a signature, or undefined when the text cannot be one. */
export function readSignature(text: string): Uint8Array | undefined {
  return SIGNATURE_TEXT.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** Takes the same time wherever the two differ. */
export function isSignature(signature: Uint8Array, parts: SignedParts, secret: string): boolean {
  const expected = hmac(secret, parts);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

function hmac(secret: string, parts: SignedParts): Buffer {
  return createHmac('sha512', secret).update(stringToSign(parts)).digest();
}
