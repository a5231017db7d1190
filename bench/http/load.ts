/**
 * The load generator: a process of its own that makes and signs all requests, opens all connections, says that it is
 * ready, and then sends: on each connection one request after the other. It reads of the answers only status and length,
 * so that it takes as little as it can of the cores it shares with the service. An answer that is not 201 ends it.
 */
import type { Socket } from 'node:net';
import { Answers, openSocket } from './answers.ts';
import { type Payer, signedPayouts } from './requests.ts';

export interface LoadOrder {
  readonly baseUrl: string;
  readonly payers: readonly Payer[];
  readonly count: number;
  readonly connections: number;
}

export type LoadMessage =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'done'; readonly seconds: number; readonly waitsMs: readonly number[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Each connection sends the next request when the answer to its last one is in. */
async function sendAll(sockets: readonly Socket[], requests: readonly Buffer[]) {
  const waitsMs: number[] = [];
  let next = 0;
  const startedAtMs = performance.now();
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
  return { seconds: (performance.now() - startedAtMs) / 1_000, waitsMs };
}

async function carryOut({ baseUrl, payers, count, connections }: LoadOrder): Promise<void> {
  const requests = signedPayouts(baseUrl, payers, count);
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(baseUrl)));
  const begun = new Promise<void>((resolve) => process.once('message', () => resolve()));
  tell({ kind: 'prepared' });
  await begun;
  const measured = await sendAll(sockets, requests);
  for (const socket of sockets) socket.destroy();
  tell({ kind: 'done', ...measured });
}

function tell(message: LoadMessage): void {
  process.send?.(message);
}

/** Orders come one at a time: prepare, begin, done. */
process.on('message', (message: LoadOrder | 'begin') => {
  if (message === 'begin') return;
  carryOut(message).catch((fault: unknown) => tell({ kind: 'failed', reason: String(fault) }));
});
