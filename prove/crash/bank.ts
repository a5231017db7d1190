/**
 * The bank behind the service, outside of everything that is killed: it speaks docs/bridge.md and keeps a book of its
 * own, by which can be told who was paid and how often. What it does with an order follows from the last name of the
 * recipient, the unkind things included: answers get lost, orders get lost, errors come before success.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isProved, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../server/src/providers/bridge/signature.ts';
import { textAt, valueAt } from '../../test/service/calls.ts';

/** Last names, and what each asks for. `Wrong` fails until it is edited; the others are paid in the end. */
const MANNERS = ['Paid', 'Later', 'Retry', 'Unheard', 'Astray', 'Wrong'] as const;
export type Manner = (typeof MANNERS)[number];

interface BookedOrder {
  readonly recipientId: string;
  readonly amount: string;
  status: 'paid' | 'failed' | 'pending';
  readonly code?: string;
  asks: number;
}

export interface Bank {
  readonly url: string;
  /** References under which each recipient was paid: more than one means that it was paid twice. */
  paidReferences(): ReadonlyMap<string, readonly string[]>;
  /** What was paid out in all, in minor units of the one currency. */
  paidMinor(): bigint;
  /** Calls that came without a right signature. */
  unproved(): number;
  close(): Promise<void>;
}

/** A pending order is paid when it is asked about for the second time. */
const ASKS_BEFORE_PAID = 2;

/** `onPaid` is told when the order that was paid began to arrive. */
export async function openBank(secret: string, onPaid: (tookAtMs: number) => void): Promise<Bank> {
  const book = new Map<string, BookedOrder>();
  const lost = new Set<string>();
  let unproved = 0;
  const server = createServer(async (request, response) => {
    const tookAtMs = performance.now();
    const body = await bodyOf(request);
    const what = `${request.method} ${request.url}`;
    if (!isSigned(request, what, body, secret)) {
      unproved += 1;
      response.writeHead(401).end('{}');
      return;
    }
    if (what === 'GET /health') return void response.end('{"status":"up"}');
    if (what !== 'POST /payouts') return tell(response, decodeURIComponent(what.split('/').at(-1) ?? ''), book);
    const order: unknown = JSON.parse(body.toString('utf8'));
    const reference = textAt(order, 'reference');
    const manner = textAt(order, 'details', 'last_name');
    const isFirst = !lost.has(reference);
    lost.add(reference);
    // The order does not arrive; sent again under its reference, it does.
    if (manner === 'Astray' && isFirst) return void response.destroy();
    if (!book.has(reference)) {
      const booked = bookedOf(order, manner);
      book.set(reference, booked);
      if (booked.status === 'paid') onPaid(tookAtMs);
    }
    // It was taken, and the answer does not arrive.
    if (manner === 'Unheard' && isFirst) return void response.destroy();
    tell(response, reference, book);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const paid = () => [...book].filter(([, { status }]) => status === 'paid');
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    paidReferences: () => {
      const references = new Map<string, string[]>();
      for (const [reference, { recipientId }] of paid()) {
        references.set(recipientId, [...(references.get(recipientId) ?? []), reference]);
      }
      return references;
    },
    paidMinor: () => paid().reduce((sum, [, { amount }]) => sum + BigInt(amount.replace('.', '')), 0n),
    unproved: () => unproved,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function bookedOf(order: unknown, manner: string): BookedOrder {
  const base = { recipientId: textAt(order, 'recipient_id'), amount: textAt(order, 'amount'), asks: 0 };
  if (manner === 'Wrong') return { ...base, status: 'failed', code: '416' };
  if (manner === 'Retry' && valueAt(order, 'attempt_number') === 1) return { ...base, status: 'failed', code: '3' };
  return { ...base, status: manner === 'Later' ? 'pending' : 'paid' };
}

function tell(response: ServerResponse, reference: string, book: ReadonlyMap<string, BookedOrder>): void {
  const order = book.get(reference);
  if (order === undefined) return void response.end(JSON.stringify({ reference, status: 'not_found' }));
  if (order.status === 'pending') {
    order.asks += 1;
    if (order.asks > ASKS_BEFORE_PAID) order.status = 'paid';
  }
  const { status, code } = order;
  response.end(JSON.stringify({ reference, status, ...(code !== undefined && { code }) }));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function isSigned({ headers }: IncomingMessage, what: string, body: Buffer, secret: string): boolean {
  const timestamp = String(headers[TIMESTAMP_HEADER]);
  return isProved({ timestamp, what, body }, String(headers[SIGNATURE_HEADER]), secret, new Date());
}
