/**
 * For programs that receive webhooks: published as `payferry/webhooks`. Tells whether a request was signed with the
 * secret that only Payferry and its receiver know, and signs requests for tests. It stands alone: nothing of the
 * service is imported, and it needs nothing but Node. Spec: Authentication. Open point OP-66.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** As Node, Express and Fastify give them, or the `Headers` of fetch. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

/** The bytes that came, before anybody parsed them. */
export type RawBody = string | Uint8Array;

export type Fault = 'missing_header' | 'repeated_header' | 'other_key' | 'malformed_signature' | 'wrong_signature';

const NAMES = ['authorization-key', 'authorization-nonce', 'authorization-signature'] as const;
const SIGNATURE = /^[0-9a-f]{128}$/;

/**
 * True when the request comes from Payferry as it is. `url` is the address as it was registered, complete and with its
 * query; `rawBody` the body as it came; key and secret those with which the webhook was registered.
 */
export function verify(url: string, rawBody: RawBody, headers: WebhookHeaders, key: string, secret: string): boolean {
  return whyNot(url, rawBody, headers, key, secret) === undefined;
}

/** The reason why `verify` says no, for your log; undefined when it says yes. Never tell it to the caller. */
export function whyNot(
  url: string,
  rawBody: RawBody,
  headers: WebhookHeaders,
  key: string,
  secret: string,
): Fault | undefined {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError(
      'rawBody must be the text or the bytes of the body as they came, not what was parsed from them.',
    );
  }
  if (secret === '') throw new TypeError('The secret is empty, so anybody could sign.');
  const [givenKey, nonce, signature] = NAMES.map((name) => valuesOf(headers, name));
  if (!givenKey?.[0] || !nonce?.[0] || !signature?.[0]) return 'missing_header';
  if (givenKey.length > 1 || nonce.length > 1 || signature.length > 1) return 'repeated_header';
  if (!isSame(hashOf(givenKey[0]), hashOf(key))) return 'other_key';
  if (!SIGNATURE.test(signature[0])) return 'malformed_signature';
  const expected = signatureOf(url, rawBody, nonce[0], secret);
  return isSame(Buffer.from(signature[0], 'hex'), expected) ? undefined : 'wrong_signature';
}

/** The headers of a webhook, as Payferry would send them: for the tests of a receiver. */
export function signForTest(url: string, rawBody: RawBody, key: string, secret: string): Record<string, string> {
  const nonce = randomUUID();
  return {
    'Authorization-Key': key,
    'Authorization-Nonce': nonce,
    'Authorization-Signature': signatureOf(url, rawBody, nonce, secret).toString('hex'),
  };
}

/** Webhooks are always POST. The hash is of the bytes; a text stands for its UTF-8. */
function signatureOf(url: string, rawBody: RawBody, nonce: string, secret: string): Buffer {
  const line = `${nonce}&POST&${url}&${hashOf(rawBody).toString('hex')}`;
  return createHmac('sha512', secret).update(line).digest();
}

function hashOf(data: RawBody): Buffer {
  return createHash('sha512').update(data).digest();
}

/** Takes the same time wherever the two differ; both have the length of a hash. */
function isSame(left: Buffer, right: Buffer): boolean {
  return timingSafeEqual(left, right);
}

/** Every value under a name in whatever case. */
function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  const entries = isIterable(headers) ? [...headers] : Object.entries(headers);
  return entries
    .filter(([given]) => given.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .filter((value) => typeof value === 'string');
}

function isIterable(headers: WebhookHeaders): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}
