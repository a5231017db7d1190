/**
 * A scripted bank behind a bridge, on loopback: it speaks docs/bridge.md, keeps a book of what it paid, and can be told
 * to behave badly. It pays one reference once, whatever is sent. What is not signed rightly it turns away.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isProved, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../server/src/providers/bridge/signature.ts';

export type Manner =
  | 'well'
  | 'silent'
  | 'silent and deaf'
  | 'half'
  | 'nonsense'
  | 'another order'
  | 'error page'
  | 'unlisted word'
  | 'slow'
  | 'too long'
  | 'out of service';

export interface BookedOrder {
  status: string;
  code?: string;
  paidAmount?: string;
  currency: string;
  paymentReference?: string;
  timesSent: number;
  timesPaid: number;
  details: unknown;
}

export interface Plan {
  readonly status: 'paid' | 'failed' | 'pending';
  readonly code?: string;
  readonly paidAmount?: string;
  readonly paymentReference?: string;
}

const SLOW_MS = 150;
const OTHER_ORDER = 'order-of-somebody-else';

export class FakeBridge {
  manner: Manner = 'well';
  plan: Plan = { status: 'paid' };
  keeps = false;
  /** Calls that came without a right signature. */
  unproved = 0;
  readonly book = new Map<string, BookedOrder>();
  /** When the first call has been dealt with, answered or not. */
  readonly heard: Promise<void>;
  #hear: () => void = () => undefined;
  readonly #secret: string;
  readonly #now: () => Date;
  readonly #server: Server;
  #port = 0;

  constructor(secret: string, now: () => Date) {
    this.#secret = secret;
    this.#now = now;
    this.heard = new Promise((resolve) => {
      this.#hear = resolve;
    });
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  /** Where it listens; also while it is closed. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/bank`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Nobody listens any more: connections are refused. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  becomes(reference: string, status: 'paid' | 'failed'): void {
    const order = this.book.get(reference);
    if (order === undefined) return;
    if (status === 'paid' && order.status !== 'paid') order.timesPaid += 1;
    order.status = status;
    if (status === 'failed') order.code = '3';
  }

  timesPaid(reference: string): number {
    return this.book.get(reference)?.timesPaid ?? 0;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const { method = '', url = '' } = request;
    const what = `${method} ${url.replace(/^\/bank/, '')}`;
    const timestamp = String(request.headers[TIMESTAMP_HEADER]);
    const signature = String(request.headers[SIGNATURE_HEADER]);
    if (!isProved({ timestamp, what, body }, signature, this.#secret, this.#now())) {
      this.unproved += 1;
      response.writeHead(401).end('{}');
      return;
    }
    const isLost = this.manner === 'silent and deaf' || this.manner === 'out of service';
    const said = isLost ? { reference: referenceOf(what, body), status: 'down' } : this.#act(what, body);
    await this.#answer(response, JSON.stringify(said));
    this.#hear();
  }

  #act(what: string, body: Buffer): Readonly<Record<string, unknown>> {
    if (what === 'GET /health') return { status: 'up' };
    const reference = referenceOf(what, body);
    if (what === 'POST /payouts') this.#take(reference, body);
    const order = this.book.get(reference);
    if (order === undefined) return { reference, status: 'not_found' };
    const isWaiting = order.status === 'pending' && !this.keeps;
    if (what.startsWith('PUT ')) {
      if (isWaiting) order.details = JSON.parse(body.toString('utf8')).details;
      return { reference, status: isWaiting ? 'updated' : 'refused' };
    }
    if (what.startsWith('DELETE ')) {
      if (isWaiting) Object.assign(order, { status: 'failed', code: '54', isCanceled: true });
      return { reference, status: isWaiting || order.code === '54' ? 'canceled' : 'refused' };
    }
    return tellOf(reference, order);
  }

  #take(reference: string, body: Buffer): void {
    const known = this.book.get(reference);
    if (known !== undefined) {
      known.timesSent += 1;
      return;
    }
    const { currency, details } = JSON.parse(body.toString('utf8'));
    const timesPaid = this.plan.status === 'paid' ? 1 : 0;
    this.book.set(reference, { ...this.plan, currency, details, timesSent: 1, timesPaid });
  }

  async #answer(response: ServerResponse, text: string): Promise<void> {
    switch (this.manner) {
      case 'silent':
      case 'silent and deaf':
        return;
      case 'half':
        response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, text.length / 2));
        setTimeout(() => response.destroy(), 1);
        return;
      case 'nonsense':
        response.end('<html>200 OK</html>');
        return;
      case 'another order':
        response.end(text.replace(/"reference":"[^"]*"/, `"reference":"${OTHER_ORDER}"`).replace('"up"', '"other"'));
        return;
      case 'error page':
        response.writeHead(502).end(text);
        return;
      case 'unlisted word':
        response.end(text.replace(/"status":"[^"]*"/, '"status":"done"'));
        return;
      case 'too long':
        response.end(`${text.slice(0, -1)},"more":"${'x'.repeat(70_000)}"}`);
        return;
      case 'slow':
        setTimeout(() => response.end(text), SLOW_MS);
        return;
      case 'well':
      case 'out of service':
        response.end(text);
    }
  }
}

function referenceOf(what: string, body: Buffer): string {
  const [, inPath] = /\/payouts\/(.+)$/.exec(what) ?? [];
  return inPath === undefined ? JSON.parse(body.toString('utf8') || '{}').reference : decodeURIComponent(inPath);
}

/** As docs/bridge.md writes it; what is not known is left out. */
function tellOf(reference: string, order: BookedOrder) {
  const { status, code, paidAmount, currency, paymentReference } = order;
  return { reference, status, code, paid_amount: paidAmount, currency, payment_reference: paymentReference };
}
