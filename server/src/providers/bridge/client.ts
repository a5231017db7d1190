/**
 * One signed call to a bridge. What comes back is the text of an answer with status 200, or how it failed: `not_sent`
 * only when no connection could be made, so that nothing can have arrived; everything else is `lost`.
 */
import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '../../kernel/clock.ts';
import { signedHeaders } from './signature.ts';

export interface BridgeCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the base address on: `/payouts`. */
  readonly path: string;
  readonly body?: string;
}

export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'not_sent'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string };

export interface BridgeAddress {
  /** Without a final slash. */
  readonly url: string;
  readonly secret: string;
}

const CONNECTIONS = 256;
const CONNECT_TIMEOUT_MS = 10_000;
/** Above every time limit that can be set for a call: the signal of the caller ends it, not the pool. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 65_536;

/** Faults that only come before a connection stands. */
const NOT_CONNECTED: readonly unknown[] = ['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
/** The certificate is looked at before anything is sent. */
const NOT_TRUSTED = /^(CERT_|ERR_TLS_CERT_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;
/** Faults of connecting that an open connection can have as well, when its way is cut and the system gives up on it. */
const NOT_REACHED: readonly unknown[] = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

export class BridgeClient {
  readonly #address: BridgeAddress;
  readonly #clock: Clock;
  readonly #agent: Dispatcher;
  readonly #origin: string;
  readonly #base: string;

  constructor(address: BridgeAddress, clock: Clock) {
    const { origin, pathname } = new URL(address.url);
    this.#address = address;
    this.#clock = clock;
    this.#origin = origin;
    this.#base = pathname === '/' ? '' : pathname;
    this.#agent = new Agent({
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
  }

  async send({ method, path, body = '' }: BridgeCall, signal: AbortSignal): Promise<Reply> {
    const signed = signedHeaders(`${method} ${path}`, body, this.#address.secret, this.#clock.now());
    try {
      const answer = await this.#agent.request({
        origin: this.#origin,
        path: `${this.#base}${path}`,
        method,
        headers: { ...signed, accept: 'application/json', ...(body !== '' && { 'content-type': 'application/json' }) },
        body: body === '' ? null : body,
        signal,
      });
      const text = await readText(answer.body);
      if (answer.statusCode !== 200) return { kind: 'lost', why: `status ${answer.statusCode}` };
      return text === undefined ? { kind: 'lost', why: 'an answer that is too long' } : { kind: 'text', text };
    } catch (fault) {
      return { kind: wasNeverConnected(fault) ? 'not_sent' : 'lost', why: causeOf(fault) };
    }
  }

  /** What is still under way has had its time. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Undefined when it is longer than any answer can be; the rest is not read. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Where a name has several addresses, all of them have to have failed so. */
export function wasNeverConnected(fault: unknown): boolean {
  if (fault instanceof AggregateError && fault.errors.length > 0) return fault.errors.every(wasNeverConnected);
  const { code, syscall } = Object(fault);
  if (NOT_CONNECTED.includes(code) || (typeof code === 'string' && NOT_TRUSTED.test(code))) return true;
  return NOT_REACHED.includes(code) && syscall === 'connect';
}

/** Of several addresses the first one's. */
function causeOf(fault: unknown): string {
  if (fault instanceof AggregateError && fault.errors.length > 0) return causeOf(fault.errors[0]);
  const { code } = Object(fault);
  if (typeof code === 'string') return code;
  return fault instanceof Error ? fault.name : 'fault';
}
