/**
 * Sends webhooks with undici: one POST, no redirects, one clock over everything, bounded answers and connections.
 * Addresses are checked here as text and by the connector as what they lead to. Spec: Webhooks.
 */

import { type AddressFault, checkWebhookUrl, SCHEME_AND_AUTHORITY } from './address-policy.ts';
import { type Answer, AnswerReader, type ReadResult } from './answer.ts';
import { type ConnectPolicy, RefusedAddress } from './checked-connect.ts';
import { CONNECTION_BOUNDS, type Connection, type ConnectionBounds, Connections } from './connections.ts';
import { type HttpSender, longestWaitMs, type OutgoingRequest, type SendOutcome } from './http-sender.ts';
import { resolverFor } from './resolve.ts';
import { whyItFailed } from './send-failure.ts';

export interface SenderOptions extends Partial<ConnectPolicy> {
  readonly mode: ConnectPolicy['mode'];
  readonly bounds?: ConnectionBounds;
}

/** RFC 9110: a token, and visible characters with spaces between them. So no header can begin another one. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
/** The client sets these, or they would change where the request goes and where it ends. */
const OWN_HEADERS = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect', 'te', 'trailer'];

const MAX_KNOWN_URLS = 1_000;

const NONE_FREE = 'no connection to this host was free in time';

type WithoutTime<T> = T extends unknown ? Omit<T, 'tookMs'> : never;
type Outcome = WithoutTime<SendOutcome>;

export class UndiciSender implements HttpSender {
  readonly #policy: ConnectPolicy;
  readonly #connections: Connections;
  readonly #faults = new Map<string, AddressFault | null>();

  constructor({ bounds = CONNECTION_BOUNDS, resolve, ...policy }: SenderOptions) {
    this.#policy = { ...policy, resolve: resolve ?? resolverFor(policy.mode) };
    this.#connections = new Connections(this.#policy, bounds);
  }

  async send(request: OutgoingRequest): Promise<SendOutcome> {
    const fault = this.#faultOf(request.url);
    if (fault !== undefined) return { kind: 'refused_address', why: `the address ${fault.says}`, tookMs: 0 };
    const header = Object.entries(request.headers).find(([name, value]) => !isGoodHeader(name, value));
    if (header !== undefined) return { kind: 'failed', why: 'a header cannot be sent', tookMs: 0 };

    const connection = await this.#connections.take(new URL(request.url).origin, longestWaitMs(request));
    // Not a time-out: those are counted against the receiver, and this one is ours.
    if (connection === undefined) return { kind: 'not_sent', why: NONE_FREE, tookMs: 0 };
    const startedAtMs = performance.now();
    const outcome = await this.#exchange(connection, request);
    return { tookMs: Math.round(performance.now() - startedAtMs), ...outcome };
  }

  /** What a text says never changes, and the same few addresses are sent to again and again. */
  #faultOf(url: string): AddressFault | undefined {
    const known = this.#faults.get(url);
    if (known !== undefined) return known ?? undefined;
    const fault = checkWebhookUrl(url, this.#policy.mode);
    if (this.#faults.size >= MAX_KNOWN_URLS) this.#faults.clear();
    this.#faults.set(url, fault ?? null);
    return fault;
  }

  /** Ends requests that are still under way; they answer `failed`. */
  async close(): Promise<void> {
    this.#connections.close();
  }

  async #exchange(connection: Connection, request: OutgoingRequest): Promise<Outcome> {
    const reader = new AnswerReader();
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), request.timeoutMs);
    });
    const { headers, body } = request;
    connection.client.dispatch({ method: 'POST', path: targetOf(request.url), headers, body }, reader);
    const result = await Promise.race([reader.result, outOfTime]);
    clearTimeout(timer);
    // Whatever did not end as it should leaves a connection behind of which nothing is known.
    this.#connections.giveBack(connection, result !== undefined && 'answer' in result && !result.isCut);
    return result === undefined ? { kind: 'timed_out' } : outcomeOf(result);
  }
}

/**
 * As it was written: a parser drops an empty query and encodes others, and the receiver would not see what was signed.
 */
function targetOf(url: string): string {
  const target = url.replace(SCHEME_AND_AUTHORITY, '');
  return target.startsWith('/') ? target : `/${target}`;
}

function outcomeOf(result: ReadResult): Outcome {
  if ('answer' in result) return answered(result.answer);
  if (result.fault instanceof RefusedAddress) {
    return { kind: 'refused_address', why: `the address ${result.fault.message}` };
  }
  return { kind: 'failed', why: whyItFailed(result.fault) };
}

function answered({ status, headers, body }: Answer): Outcome {
  return { kind: 'answered', status, headers, body };
}

function isGoodHeader(name: string, value: string): boolean {
  return HEADER_NAME.test(name) && HEADER_VALUE.test(value) && !OWN_HEADERS.includes(name.toLowerCase());
}
