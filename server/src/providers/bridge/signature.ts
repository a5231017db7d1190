/**
 * How the service and a bridge prove to each other who they are: HMAC-SHA256 with a shared secret over the time, what
 * is asked, and a hash of the body. A signature is good for a few minutes, so that a recorded one is soon worth
 * nothing.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const TIMESTAMP_HEADER = 'payferry-timestamp';
export const SIGNATURE_HEADER = 'payferry-signature';

/** Clocks differ, and a message may be on its way for a while. */
export const MAX_AGE_MS = 5 * 60_000;
const TIMESTAMP = /^[0-9]{1,16}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

export interface SignedMessage {
  /** Milliseconds since 1970, in digits. */
  readonly timestamp: string;
  /** `POST /payouts`; for callbacks the word `callback` and the name of the provider. */
  readonly what: string;
  readonly body: Uint8Array | string;
}

export function signMessage({ timestamp, what, body }: SignedMessage, secret: string): string {
  const hash = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', secret).update(`${timestamp}\n${what}\n${hash}`).digest('hex');
}

export function signedHeaders(what: string, body: string, secret: string, now: Date): Record<string, string> {
  const timestamp = String(now.getTime());
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signMessage({ timestamp, what, body }, secret) };
}

/** Whether the sender holds the secret and said it lately. */
export function isProved(message: SignedMessage, signature: string, secret: string, now: Date): boolean {
  if (!TIMESTAMP.test(message.timestamp) || !SIGNATURE.test(signature)) return false;
  if (Math.abs(now.getTime() - Number(message.timestamp)) > MAX_AGE_MS) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(signMessage(message, secret), 'hex'));
}
