/**
 * The load generator: a process of its own that makes and signs all requests, opens all connections, says that it is
 * ready, and then sends: on each connection one request after the other. It reads of the answers only status and length,
 * so that it takes as little as it can of the cores it shares with the service. An answer that is not 201 ends it.
 */
import { connect, type Socket } from 'node:net';
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

const CREATED = ' 201 ';
const STATUS_AT = 8;
const HEAD_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);
const LENGTH_HEADER = /\r\ncontent-length: ([0-9]+)\r\n/i;

/** Reads one answer after the other from the chunks of a connection. */
class Answers {
  readonly #onAnswer: () => void;
  #head: Buffer = NOTHING;
  #bodyLeft = 0;

  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  take(chunk: Buffer): void {
    if (this.#bodyLeft > 0) {
      this.#bodyLeft -= chunk.length;
      if (this.#bodyLeft === 0) this.#onAnswer();
      return;
    }
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return;
    const head = this.#head.toString('latin1', 0, end + 2);
    const length = LENGTH_HEADER.exec(head)?.[1];
    if (length === undefined || head.slice(STATUS_AT, STATUS_AT + CREATED.length) !== CREATED) {
      throw new Error(`a payout was answered with ${this.#head.toString('utf8')}`);
    }
    this.#bodyLeft = Number(length) - (this.#head.length - end - HEAD_END.length);
    this.#head = NOTHING;
    if (this.#bodyLeft === 0) this.#onAnswer();
  }
}

function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket)).setNoDelay(true);
    socket.once('error', reject);
  });
}

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
