/**
 * Signed requests of a caller, by the published formula, written down here once more and not taken from the service.
 */
import { createHash, createHmac } from 'node:crypto';
import type { HeardAnswer, Method, World } from '../world.ts';

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

const BASE = 'http://localhost';

/** Undefined: no answer came. */
export function signedCall(
  world: World,
  { key, secret }: Credentials,
  method: Method,
  path: string,
  body?: unknown,
): Promise<HeardAnswer | undefined> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const nonce = nonceOf(world);
  const bodyHash = createHash('sha512').update(text).digest('hex');
  const line = `${nonce}&${method}&${BASE}${path}&${bodyHash}`;
  return world.request('api', method, path, {
    ...(text !== '' && { body: text }),
    headers: {
      'authorization-key': key,
      'authorization-nonce': nonce,
      'authorization-signature': createHmac('sha512', secret).update(line).digest('hex'),
    },
  });
}

const NONCE_BYTES = 16;

function nonceOf(world: World): string {
  const bytes = Buffer.alloc(NONCE_BYTES);
  world.draw('nonces').fill(bytes);
  return bytes.toString('hex');
}
