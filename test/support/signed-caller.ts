/**
 * A caller with a key and a secret. It signs by the published formula, written down here once more and on purpose not
 * taken from the service: what the two disagree on is found by the tests. Any part of a call can be replaced, so that a
 * test may send what no honest client would. Every answer of a server that describes itself is held to its description.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { type Conformance, conformanceOf, type ReadConformance } from './conformance.ts';

export interface CallOptions {
  readonly nonce?: string;
  readonly signature?: string;
  /** What is signed in place of the address that is called. */
  readonly signedUrl?: string;
  /** Takes the place of the JSON body. */
  readonly rawBody?: string | Uint8Array;
  /** Added to the headers, or in their place when the name is the same (in lower case); null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent after all others, also when the name is there already. */
  readonly extraHeaders?: readonly (readonly [name: string, value: string])[];
}

export interface Answer {
  readonly status: number;
  /** Parsed when it is JSON, otherwise undefined. */
  readonly body: unknown;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SignedCaller {
  get(path: string, options?: CallOptions): Promise<Answer>;
  delete(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Closes the connections. */
  close(): void;
}

/** What a Fastify server offers to tests that need no port. */
interface Injectable {
  inject(options: {
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
    url: string;
    headers: Record<string, string>;
    payload?: Buffer;
  }): Promise<{ statusCode: number; body: string; headers: object }>;
}

type CallerTarget =
  /** `http://127.0.0.1:3000`, without a slash at its end. */
  { readonly baseUrl: string } | { readonly server: Injectable };

export type CallerOptions = CallerTarget & {
  readonly key: string;
  readonly secret: string;
  /** Shared with other callers of the same server. */
  readonly conformance?: ReadConformance;
};

interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const INJECTED_URL = 'http://localhost';
const MAX_CONNECTIONS = 64;
const TIMEOUT_MS = 90_000;

export function signedCaller(options: CallerOptions): SignedCaller {
  const baseUrl = 'baseUrl' in options ? options.baseUrl : INJECTED_URL;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const readConformance = options.conformance ?? (() => conformanceOf(baseUrl));
  let conformance: Promise<Conformance | undefined> | undefined;
  const deliver = (outgoing: Outgoing) =>
    'baseUrl' in options ? deliverByHttp(agent, baseUrl, outgoing) : deliverByInjection(options.server, outgoing);

  async function send(method: string, path: string, body?: unknown, call: CallOptions = {}): Promise<Answer> {
    const bytes = Buffer.from(call.rawBody ?? (body === undefined ? '' : JSON.stringify(body)));
    const nonce = call.nonce ?? randomUUID();
    const url = call.signedUrl ?? `${baseUrl}${path}`;
    const headers: Record<string, string | null> = {
      host: new URL(baseUrl).host,
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': bytes.length > 0 || method === 'POST' || method === 'PATCH' ? String(bytes.length) : null,
      'authorization-key': options.key,
      'authorization-nonce': nonce,
      'authorization-signature': call.signature ?? signByFormula({ nonce, method, url, bytes, secret: options.secret }),
      ...call.headers,
    };
    const sent = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
    const answer = await deliver({ method, path, headers: [...sent, ...(call.extraHeaders ?? [])], body: bytes });
    // Read once, after the first answer. Not kept by address: a port is soon another server's.
    if ('baseUrl' in options) conformance ??= readConformance();
    const [fault] = (await conformance)?.faultsIn({ method, path }, answer) ?? [];
    if (fault !== undefined) throw new Error(fault);
    return answer;
  }

  return {
    get: (path, call) => send('GET', path, undefined, call),
    delete: (path, call) => send('DELETE', path, undefined, call),
    post: (path, body, call) => send('POST', path, body, call),
    patch: (path, body, call) => send('PATCH', path, body, call),
    send,
    close: () => agent.destroy(),
  };
}

/** nonce & METHOD & url & sha512hex(body), under HMAC-SHA512, in lower-case hex. */
export function signByFormula(call: { nonce: string; method: string; url: string; bytes: Buffer; secret: string }) {
  const bodyHash = createHash('sha512').update(call.bytes).digest('hex');
  const parts = [call.nonce, call.method.toUpperCase(), call.url, bodyHash];
  return createHmac('sha512', Buffer.from(call.secret, 'utf8')).update(parts.join('&'), 'utf8').digest('hex');
}

function deliverByHttp(agent: Agent, baseUrl: string, { method, path, headers, body }: Outgoing): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      // As a flat list, headers go out as they are: in this order, doubled ones too.
      { agent, hostname, port, method, path, headers: headers.flat(), timeout: TIMEOUT_MS },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks).toString('utf8'))),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${method} ${path} in time`)));
    outgoing.end(body.length > 0 ? body : undefined);
  });
}

async function deliverByInjection(server: Injectable, { method, path, headers, body }: Outgoing): Promise<Answer> {
  if (method !== 'GET' && method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') {
    throw new Error(`${method} cannot be injected`);
  }
  const answer = await server.inject({
    method,
    url: path,
    headers: Object.fromEntries(headers),
    ...(body.length > 0 && { payload: body }),
  });
  return answerOf(answer.statusCode, answer.headers, answer.body);
}

function answerOf(status: number, headers: object, text: string): Answer {
  const shown = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status, text, body: parseOrUndefined(text), headers: Object.fromEntries(shown) };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
