/**
 * The receiver of webhooks, outside of everything that is killed. It checks each signature as the customers of the
 * service do, and keeps of each object which events came, how often, in which order they came first, and which states
 * they told.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { verify } from '../../server/src/receiver/webhooks.ts';
import { textAt, valueAt } from '../../test/service/calls.ts';
import { ToldStates } from './moves.ts';

export interface Heard {
  /** Names of events, as they came for the first time. */
  readonly inOrder: string[];
  /** How often each came. */
  readonly times: Map<string, number>;
}

export interface Hooks {
  readonly url: string;
  /** By the id of the object. */
  readonly heard: ReadonlyMap<string, Heard>;
  readonly states: ToldStates;
  /** What should not have come: not signed rightly, or with another body than before. */
  readonly wrong: readonly string[];
  requests(): number;
  close(): Promise<void>;
}

/** An object tells of these at most once, so that a repeat has to have the same body. */
const ONCE = /^transaction\./;

/** Secrets by key. */
export async function openHooks(secrets: ReadonlyMap<string, string>): Promise<Hooks> {
  const heard = new Map<string, Heard>();
  const hashes = new Map<string, string>();
  const states = new ToldStates();
  const wrong: string[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    const raw = await bodyOf(request);
    requests += 1;
    const key = String(request.headers['authorization-key']);
    const secret = secrets.get(key);
    if (secret === undefined || !verify(url, raw, request.headers, key, secret)) {
      wrong.push(`not signed rightly: ${raw.toString('utf8')}`);
      response.writeHead(401).end();
      return;
    }
    const body: unknown = JSON.parse(raw.toString('utf8'));
    const [event, id] = [textAt(body, 'event'), textAt(body, 'object', 'id')];
    if (ONCE.test(event)) {
      const hash = createHash('sha256').update(raw).digest('base64');
      if ((hashes.get(`${id} ${event}`) ?? hash) !== hash) wrong.push(`two bodies of ${event} of ${id}`);
      hashes.set(`${id} ${event}`, hash);
    }
    const known = heard.get(id) ?? { inOrder: [], times: new Map<string, number>() };
    heard.set(id, known);
    if (!known.times.has(event)) {
      known.inOrder.push(event);
      states.hear(event, valueAt(body, 'object'));
    }
    known.times.set(event, (known.times.get(event) ?? 0) + 1);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hooks`;
  return {
    url,
    heard,
    states,
    wrong,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
