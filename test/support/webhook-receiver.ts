/**
 * A receiver of webhooks, as a customer would run one: a real HTTP server on loopback that checks each signature by the
 * published formula, keeps what came, and can be told how to answer: with a status, with a redirect, late or never.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { signByFormula } from './signed-caller.ts';

export interface Received {
  readonly path: string;
  readonly raw: string;
  readonly body: {
    readonly webhook: string;
    readonly event: string;
    readonly object: Readonly<Record<string, unknown>>;
  };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly nonce: string;
  readonly key: string;
  /** Whether one of the known keys made the signature for this very address and body. */
  readonly isSigned: boolean;
}

type Behaviour =
  | number
  | 'hang'
  | 'break'
  | { readonly redirectTo: string }
  | { readonly status: number; readonly afterMs?: number; readonly body?: string };

export interface WebhookReceiver {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly baseUrl: string;
  /** In the order in which they came. */
  readonly received: Received[];
  /** The most requests that were under way at once. */
  mostAtOnce(): number;
  /** How it answers from now on; a function decides for each request. */
  answer(behaviour: Behaviour | ((request: Received, count: number) => Behaviour)): void;
  /** Resolves when so many have come. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

const MAX_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 5;

/** Secrets by key. To be closed by whoever opened it. */
export async function openReceiver(secrets: ReadonlyMap<string, string>): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let behave: (request: Received, count: number) => Behaviour = () => 200;
  let underWay = 0;
  let most = 0;
  const server = createServer(async (request, reply) => {
    underWay += 1;
    most = Math.max(most, underWay);
    reply.once('close', () => {
      underWay -= 1;
    });
    const got = receivedOf(request, await bodyOf(request), baseUrl, secrets);
    received.push(got);
    await act(reply, behave(got, received.length));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    baseUrl,
    received,
    mostAtOnce: () => most,
    answer: (behaviour) => {
      behave = typeof behaviour === 'function' ? behaviour : () => behaviour;
    },
    until: async (count) => {
      const endMs = performance.now() + MAX_WAIT_MS;
      while (received.length < count) {
        if (performance.now() > endMs) throw new Error(`only ${received.length} of ${count} webhooks came`);
        await sleep(LOOK_EVERY_MS);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function act(reply: ServerResponse, behaviour: Behaviour): Promise<void> {
  if (behaviour === 'hang') return;
  if (behaviour === 'break') {
    reply.destroy();
    return;
  }
  if (typeof behaviour === 'number') {
    reply.writeHead(behaviour).end('ok');
    return;
  }
  if ('redirectTo' in behaviour) {
    reply.writeHead(302, { location: behaviour.redirectTo }).end();
    return;
  }
  if (behaviour.afterMs !== undefined) await sleep(behaviour.afterMs);
  reply.writeHead(behaviour.status, { 'x-receiver': 'test' }).end(behaviour.body ?? '');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function receivedOf(
  request: IncomingMessage,
  bytes: Buffer,
  baseUrl: string,
  secrets: ReadonlyMap<string, string>,
): Received {
  const { headers, url = '' } = request;
  const [nonce, key] = [String(headers['authorization-nonce']), String(headers['authorization-key'])];
  const secret = secrets.get(key);
  const call = { nonce, method: request.method ?? '', url: `${baseUrl}${url}`, bytes, secret: secret ?? '' };
  const isSigned = secret !== undefined && headers['authorization-signature'] === signByFormula(call);
  const raw = bytes.toString('utf8');
  return { path: url, raw, body: JSON.parse(raw), headers, nonce, key, isSigned };
}
