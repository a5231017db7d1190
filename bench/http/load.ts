/**
 * The load generator: a process of its own that makes and signs all requests, opens all connections, says that it is
 * ready, and then sends: on each connection one request after the other, or at a rate. It reads of the answers only
 * status and length, so that it takes as little as it can of the cores it shares with the service. An answer that is
 * not 201 ends it.
 */
import { assert, present } from '../../server/src/kernel/assert.ts';
import { type Connection, openConnection } from './answers.ts';
import { type Payer, signedPayouts } from './requests.ts';

export interface LoadOrder {
  /** Of each process that answers: they get the same share of the requests and of the connections. */
  readonly baseUrls: readonly string[];
  readonly payers: readonly Payer[];
  readonly count: number;
  readonly connections: number;
  /** For all processes together. Without it every connection has always a request under way. */
  readonly perSecond?: number;
}

export type LoadMessage =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'done'; readonly seconds: number; readonly waitsMs: readonly number[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** A connection between two requests, or waiting for an answer. */
interface Place {
  readonly connection: Connection;
  /** The wait for the answer that it is expecting counts from then. */
  sinceMs: number;
}

/** How exactly a rate is kept. */
const PACE_MS = 2;

/** What one process is sent. */
interface Share {
  readonly connections: readonly Connection[];
  readonly requests: readonly Buffer[];
}

/**
 * Sends each request as soon as a connection is free, or, with a rate, when its time has come: then its wait counts
 * from that time, also while it finds no free connection.
 */
function sendAll({ connections, requests }: Share, perSecond: number | undefined): Promise<number[]> {
  const waitsMs: number[] = [];
  const startedAtMs = performance.now();
  const dueAtMs = (number: number) => startedAtMs + (perSecond === undefined ? 0 : (number * 1_000) / perSecond);
  const idle: Place[] = [];
  let sent = 0;
  return new Promise((resolve, reject) => {
    const pump = () => {
      const nowMs = performance.now();
      while (sent < requests.length && dueAtMs(sent) <= nowMs) {
        const place = idle.shift();
        if (place === undefined) return;
        place.sinceMs = perSecond === undefined ? nowMs : dueAtMs(sent);
        place.connection.send(present(requests[sent], 'the next request'));
        sent += 1;
      }
    };
    const clock = perSecond === undefined ? undefined : setInterval(pump, PACE_MS);
    for (const connection of connections) {
      const place = { connection, sinceMs: 0 };
      const onAnswer = () => {
        waitsMs.push(performance.now() - place.sinceMs);
        idle.push(place);
        if (waitsMs.length < requests.length) return pump();
        clearInterval(clock);
        resolve(waitsMs);
      };
      connection.listen(onAnswer, reject);
      idle.push(place);
    }
    pump();
  });
}

async function carryOut(order: LoadOrder): Promise<void> {
  const shares = await Promise.all(order.baseUrls.map((baseUrl) => shareOf(baseUrl, order)));
  const begun = new Promise<void>((resolve) => process.once('message', () => resolve()));
  tell({ kind: 'prepared' });
  await begun;
  const startedAtMs = performance.now();
  const waitsMs = (await Promise.all(shares.map((share) => sendAll(share, rateOfEach(order))))).flat();
  const seconds = (performance.now() - startedAtMs) / 1_000;
  for (const connection of shares.flatMap((share) => share.connections)) connection.close();
  tell({ kind: 'done', seconds, waitsMs });
}

async function shareOf(baseUrl: string, { baseUrls, payers, count, connections }: LoadOrder): Promise<Share> {
  assert(count % baseUrls.length === 0 && connections % baseUrls.length === 0, 'all processes get the same share');
  const length = connections / baseUrls.length;
  return {
    requests: signedPayouts(baseUrl, payers, count / baseUrls.length),
    connections: await Promise.all(Array.from({ length }, () => openConnection(baseUrl))),
  };
}

function rateOfEach({ perSecond, baseUrls }: LoadOrder): number | undefined {
  return perSecond === undefined ? undefined : perSecond / baseUrls.length;
}

function tell(message: LoadMessage): void {
  process.send?.(message);
}

/** Orders come one at a time: prepare, begin, done. */
process.on('message', (message: LoadOrder | 'begin') => {
  if (message === 'begin') return;
  carryOut(message).catch((fault: unknown) => tell({ kind: 'failed', reason: String(fault) }));
});
