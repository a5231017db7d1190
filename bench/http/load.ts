/**
 * The load generator: a process of its own that makes and signs all requests, opens all connections, says that it is
 * ready, and then sends: on each connection one request after the other. It reads of the answers only status and length,
 * so that it takes as little as it can of the cores it shares with the service. An answer that is not 201 ends it.
 */
import type { Socket } from 'node:net';
import { assert } from '../../server/src/kernel/assert.ts';
import { Answers, openSocket } from './answers.ts';
import { type Payer, signedPayouts } from './requests.ts';

export interface LoadOrder {
  /** Of each process that answers: they get the same share of the requests and of the connections. */
  readonly baseUrls: readonly string[];
  readonly payers: readonly Payer[];
  readonly count: number;
  readonly connections: number;
}

export type LoadMessage =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'done'; readonly seconds: number; readonly waitsMs: readonly number[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** What one process is sent. */
interface Share {
  readonly sockets: readonly Socket[];
  readonly requests: readonly Buffer[];
}

/** Each connection sends the next request when the answer to its last one is in. */
async function sendAll({ sockets, requests }: Share): Promise<number[]> {
  const waitsMs: number[] = [];
  let next = 0;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAtMs = 0;
          const send = () => {
            const request = requests[next];
            if (request === undefined) return resolve();
            next += 1;
            sentAtMs = performance.now();
            socket.write(request);
          };
          const answers = new Answers(() => {
            waitsMs.push(performance.now() - sentAtMs);
            send();
          });
          socket.on('data', (chunk: Buffer) => {
            try {
              answers.take(chunk);
            } catch (fault) {
              reject(fault);
            }
          });
          socket.on('error', reject);
          socket.on('close', () => reject(new Error('the service closed a connection')));
          send();
        }),
    ),
  );
  return waitsMs;
}

async function carryOut(order: LoadOrder): Promise<void> {
  const shares = await Promise.all(order.baseUrls.map((baseUrl) => shareOf(baseUrl, order)));
  const begun = new Promise<void>((resolve) => process.once('message', () => resolve()));
  tell({ kind: 'prepared' });
  await begun;
  const startedAtMs = performance.now();
  const waitsMs = (await Promise.all(shares.map(sendAll))).flat();
  const seconds = (performance.now() - startedAtMs) / 1_000;
  for (const socket of shares.flatMap(({ sockets }) => sockets)) socket.destroy();
  tell({ kind: 'done', seconds, waitsMs });
}

async function shareOf(baseUrl: string, { baseUrls, payers, count, connections }: LoadOrder): Promise<Share> {
  assert(count % baseUrls.length === 0 && connections % baseUrls.length === 0, 'all processes get the same share');
  const length = connections / baseUrls.length;
  return {
    requests: signedPayouts(baseUrl, payers, count / baseUrls.length),
    sockets: await Promise.all(Array.from({ length }, () => openSocket(baseUrl))),
  };
}

function tell(message: LoadMessage): void {
  process.send?.(message);
}

/** Orders come one at a time: prepare, begin, done. */
process.on('message', (message: LoadOrder | 'begin') => {
  if (message === 'begin') return;
  carryOut(message).catch((fault: unknown) => tell({ kind: 'failed', reason: String(fault) }));
});
